//! Expressions as SpinalHDL writes them: every operation in parentheses of its own, `(a && b)`, `(! a)`, `(c ? a : b)`.
//!
//! Only what such an expression can be changed into is kept. What is not of this form is refused as a whole.
use std::ops::Range;

/// An operation or a number of an expression, by its bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// Two operands with an operator between.
    Binary { whole: Range<usize>, left: Range<usize>, operator: Range<usize>, right: Range<usize> },
    /// An operator before its operand.
    Unary { whole: Range<usize>, operator: Range<usize>, operand: Range<usize> },
    /// A choice.
    Choice { condition: Range<usize> },
    /// A number with its width.
    Number(Range<usize>),
}

/// The parts of an expression, or nothing if it is not understood.
pub fn parts(text: &str, expression: Range<usize>) -> Option<Vec<Part>> {
    let mut parser =
        Parser { text: text.as_bytes(), at: expression.start, end: expression.end, parts: Vec::new() };
    parser.operand()?;
    (parser.at == parser.end).then_some(parser.parts)
}

struct Parser<'a> {
    text: &'a [u8],
    at: usize,
    end: usize,
    parts: Vec<Part>,
}

/// Operators with two operands, the longest first.
const BINARY: [&str; 19] = [
    "<<<", ">>>", "&&", "||", "==", "!=", "<=", ">=", "<<", ">>", "<", ">", "&", "|", "^", "+", "-", "*", "%",
];

impl Parser<'_> {
    fn rest(&self) -> &[u8] {
        &self.text[self.at..self.end]
    }
    fn skip(&mut self, what: &str) -> Option<Range<usize>> {
        let found = self.rest().starts_with(what.as_bytes());
        found.then(|| {
            self.at += what.len();
            self.at - what.len()..self.at
        })
    }
    fn spaces(&mut self) {
        while self.rest().first() == Some(&b' ') {
            self.at += 1;
        }
    }
    fn word(&mut self) -> Range<usize> {
        let from = self.at;
        while self
            .rest()
            .first()
            .is_some_and(|c| c.is_ascii_alphanumeric() || matches!(c, b'_' | b'$' | b'\''))
        {
            self.at += 1;
        }
        from..self.at
    }

    /// A name with its selections, a number, a concatenation, or an operation in parentheses.
    fn operand(&mut self) -> Option<Range<usize>> {
        let from = self.at;
        match self.rest().first()? {
            b'(' => self.operation()?,
            b'{' => self.concatenation()?,
            _ => {
                let word = self.word();
                let text = &self.text[word.clone()];
                match text.first()? {
                    b'$' if self.rest().first() == Some(&b'(') => {
                        self.at += 1;
                        self.operand()?;
                        self.skip(")")?;
                    }
                    b'0'..=b'9' if text.contains(&b'\'') => self.parts.push(Part::Number(word)),
                    _ => {}
                }
            }
        }
        while self.rest().first() == Some(&b'[') {
            self.selection()?;
        }
        Some(from..self.at)
    }

    /// `[...]`: which bits, or which word of a memory. Nothing in it is changed.
    fn selection(&mut self) -> Option<()> {
        let length = self.rest().iter().position(|c| *c == b']')?;
        let inner = &self.rest()[1..length];
        let plain = inner.iter().all(|c| c.is_ascii_alphanumeric() || b"_ :+-*".contains(c));
        self.at += length + 1;
        plain.then_some(())
    }

    /// `{a,b}` or `{3{a}}`.
    fn concatenation(&mut self) -> Option<()> {
        self.skip("{")?;
        let before = self.at;
        let times = self.word();
        let repeated = !times.is_empty() && self.rest().first() == Some(&b'{');
        if repeated {
            self.concatenation()?;
            return self.skip("}").map(|_| ());
        }
        self.at = before;
        loop {
            self.spaces();
            self.operand()?;
            if self.skip(",").is_none() {
                return self.skip("}").map(|_| ());
            }
        }
    }

    fn operation(&mut self) -> Option<()> {
        let from = self.skip("(")?.start;
        if let Some(operator) = ["!", "~", "|", "&", "^"].iter().find_map(|operator| self.skip(operator)) {
            self.spaces();
            let operand = self.operand()?;
            self.skip(")")?;
            self.parts.push(Part::Unary { whole: from..self.at, operator, operand });
            return Some(());
        }
        let left = self.operand()?;
        if self.skip(")").is_some() {
            return Some(());
        }
        self.spaces();
        if self.skip("?").is_some() {
            self.spaces();
            self.operand()?;
            self.spaces();
            self.skip(":")?;
            self.spaces();
            self.operand()?;
            self.parts.push(Part::Choice { condition: left });
            return self.skip(")").map(|_| ());
        }
        let operator = BINARY.iter().find_map(|operator| self.skip(operator))?;
        self.spaces();
        let right = self.operand()?;
        self.skip(")")?;
        self.parts.push(Part::Binary { whole: from..self.at, left, operator, right });
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Option<Vec<String>> {
        let name = |part: &Part| match part {
            Part::Binary { operator, .. } | Part::Unary { operator, .. } => text[operator.clone()].to_owned(),
            Part::Choice { condition } => format!("{}?", &text[condition.clone()]),
            Part::Number(number) => text[number.clone()].to_owned(),
        };
        Some(parts(text, 0..text.len())?.iter().map(name).collect())
    }

    #[test]
    fn what_the_generator_writes_is_understood() {
        assert_eq!(found("plain"), Some(vec![]));
        assert_eq!(found("a[3 : 0]"), Some(vec![]));
        assert_eq!(found("words[address]"), Some(vec![]));
        assert_eq!(found("(a && (! b))").unwrap(), ["!", "&&"]);
        assert_eq!(found("((a + 2'b01) <<< b)").unwrap(), ["2'b01", "+", "<<<"]);
        assert_eq!(found("({13'd0, x} ? y[2] : (|z[0 : 0]))").unwrap(), ["13'd0", "|", "{13'd0, x}?"]);
        assert_eq!(found("{3{(^a)}}").unwrap(), ["^"]);
        assert_eq!(found("$signed((a - b))").unwrap(), ["-"]);
    }

    #[test]
    fn what_is_not_of_this_form_is_refused() {
        for text in ["", "a + b", "(a + b + c)", "(a ? b)", "a[(b + 1)]", "{a,b", "(a && b", "f(a)"] {
            assert_eq!(found(text), None, "{text}");
        }
    }
}
