"""Draws WaveDrom files: `render.py FILE.json ...` writes FILE.svg beside each."""

import pathlib
import sys
import xml.etree.ElementTree as ET

import wavedrom

SVG = "http://www.w3.org/2000/svg"
LINK = "{http://www.w3.org/1999/xlink}href"


def draw(text):
    """The drawing, with its source as a description, on white, without the shapes that it does not use."""
    root = ET.fromstring(wavedrom.render(text).tostring())
    used = {use.get(LINK, "").lstrip("#") for use in root.iter(f"{{{SVG}}}use")}
    for shapes in root.iter(f"{{{SVG}}}defs"):
        for shape in [child for child in shapes if child.tag == f"{{{SVG}}}g" and child.get("id") not in used]:
            shapes.remove(shape)
    description = ET.Element(f"{{{SVG}}}desc")
    description.text = text
    root.insert(0, description)
    root.insert(1, ET.Element(f"{{{SVG}}}rect", {"width": "100%", "height": "100%", "style": "fill:white"}))
    return ET.tostring(root, encoding="unicode") + "\n"


def main():
    ET.register_namespace("", SVG)
    ET.register_namespace("xlink", "http://www.w3.org/1999/xlink")
    for name in sys.argv[1:]:
        path = pathlib.Path(name)
        path.with_suffix(".svg").write_text(draw(path.read_text()))


if __name__ == "__main__":
    main()
