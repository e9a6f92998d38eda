-- Reads requests and answers, joins each answer to its request, and says what is wrong with a packet.
-- Install: copy this file into Wireshark's plugin folder, or start with `wireshark -X lua_script:mneme.lua`.
-- On the ports of the preferences everything is Mneme's, damaged packets, too; on other UDP ports what is sound in every field
-- that can be wrong.

local mneme = Proto("mneme", "Mneme remote memory")
mneme.prefs.ports = Pref.range("UDP ports", tostring(DEFAULT_UDP_PORT), "UDP ports of memory boards", 65535)

local f = {
  version = ProtoField.uint8("mneme.version", "Wire version", base.DEC, nil, 0xf0),
  trailer = ProtoField.uint8("mneme.trailer", "Trailer", base.DEC, TRAILERS, 0x0c),
  key_phase = ProtoField.bool("mneme.key_phase", "Key phase", 8, nil, 0x02),
  timed = ProtoField.bool("mneme.timed", "Timed", 8, nil, TIMED_BIT),
  response = ProtoField.bool("mneme.response", "Response", 8, nil, RESPONSE_BIT),
  opcode = ProtoField.uint8("mneme.opcode", "Opcode", base.HEX, OPCODES, 0xff - RESPONSE_BIT),
  epoch = ProtoField.uint8("mneme.epoch", "Epoch", base.DEC),
  slow = ProtoField.bool("mneme.slow", "Waited", 8, nil, STATUS_SLOW_BIT),
  status = ProtoField.uint8("mneme.status", "Status", base.DEC, STATUSES, STATUS_CODE_MASK),
  pid = ProtoField.uint24("mneme.pid", "Process id", base.DEC_HEX),
  op_id = ProtoField.uint32("mneme.op_id", "Operation id", base.HEX),
  attempt = ProtoField.uint8("mneme.attempt", "Attempt", base.DEC),
  tick = ProtoField.uint24("mneme.tick", "Board time in ticks", base.DEC),
  cycles = ProtoField.uint24("mneme.cycles", "Time on the board in cycles", base.DEC),
  va = ProtoField.uint64("mneme.va", "Remote virtual address", base.HEX),
  cause = ProtoField.uint8("mneme.cause", "Cause", base.DEC, CAUSES),
  hint = ProtoField.uint32("mneme.hint", "Hint", base.DEC),
  moved_to = ProtoField.ipv4("mneme.moved_to", "Moved to"),
  moved_port = ProtoField.uint16("mneme.moved_port", "Moved to port", base.DEC),
  length = ProtoField.uint16("mneme.length", "Length", base.DEC),
  word = ProtoField.uint64("mneme.word", "Word", base.HEX),
  data = ProtoField.bytes("mneme.data", "Payload"),
  crc = ProtoField.uint32("mneme.crc", "CRC-32C", base.HEX),
  tag = ProtoField.bytes("mneme.tag", "Tag, not verified: the key is not known here"),
  answered_in = ProtoField.framenum("mneme.answered_in", "Answered in", base.NONE, frametype.RESPONSE),
  answers = ProtoField.framenum("mneme.answers", "Answers", base.NONE, frametype.REQUEST),
  latency = ProtoField.relative_time("mneme.latency", "Time since the request"),
  repeats = ProtoField.framenum("mneme.repeats", "Repeats the request in", base.NONE, frametype.RETRANS_PREV),
}
mneme.fields = f

local e = {
  short = ProtoExpert.new("mneme.short", "Fewer bytes than a header", expert.group.MALFORMED, expert.severity.ERROR),
  version = ProtoExpert.new("mneme.other_version", "A wire version that this dissector does not know", expert.group.UNDECODED, expert.severity.WARN),
  wrong_length = ProtoExpert.new("mneme.wrong_length", "The payload is not as long as the header says", expert.group.MALFORMED, expert.severity.ERROR),
  wrong_crc = ProtoExpert.new("mneme.wrong_crc", "The CRC is not that of addresses, header and payload", expert.group.CHECKSUM, expert.severity.ERROR),
  refused = ProtoExpert.new("mneme.refused", "Not done", expert.group.RESPONSE_CODE, expert.severity.NOTE),
  repeated = ProtoExpert.new("mneme.repeated", "Sent before", expert.group.SEQUENCE, expert.severity.NOTE),
}
mneme.experts = { e.short, e.version, e.wrong_length, e.wrong_crc, e.refused, e.repeated }

-- Requests by client, operation id and attempt: the frame of the first, and of its answer. Made in the first pass.
local requests = {}
function mneme.init() requests = {} end

local function name(names, number) return names[number] or string.format("%#04x", number) end

-- Payload bytes that the header asks for; nothing where the opcode leaves it to the payload.
local function expected(opcode, response, ok, length)
  if response and not ok then return 0 end
  if opcode == OP.READ then return response and length or 0 end
  if opcode == OP.WRITE then return response and 0 or length end
  if opcode == OP.COMPARE_SWAP then return response and 8 or 16 end
  if opcode == OP.FETCH_ADD or opcode == OP.SWAP then return 8 end
  if opcode == OP.FENCE then return 0 end
  return length
end

-- CRC-32C, a table of bytes; Wireshark has the library `bit` in every version of Lua.
local crc_of_byte = {}
for byte = 0, 255 do
  local crc = byte
  for _ = 1, 8 do
    local shifted = bit.rshift(crc, 1)
    crc = bit.band(crc, 1) == 1 and bit.bxor(shifted, 0x82f63b78) or shifted
  end
  crc_of_byte[byte] = crc
end

-- The CRC of a packet of header and payload; what is covered begins with addresses and ports.
local function crc_of(pinfo, packet)
  local covered = ByteArray.new()
  for _, address in ipairs({ pinfo.net_src, pinfo.net_dst }) do
    for number in tostring(address):gmatch("%d+") do covered:append(ByteArray.new(string.format("%02x", number))) end
  end
  covered:append(ByteArray.new(string.format("%04x%04x", pinfo.src_port, pinfo.dst_port)))
  covered:append(packet:bytes())
  local crc = 0xffffffff
  for at = 0, covered:len() - 1 do
    crc = bit.bxor(bit.rshift(crc, 8), crc_of_byte[bit.band(bit.bxor(crc, covered:get_index(at)), 0xff)])
  end
  return bit.bxor(crc, 0xffffffff) % 2 ^ 32
end

local function show_trailer(tree, pinfo, packet, kind, at)
  if kind == TRAILER.TAG then tree:add(f.tag, packet(at)) end
  if kind == TRAILER.CRC32C then
    tree:add_le(f.crc, packet(at))
    if packet(at):le_uint() ~= crc_of(pinfo, packet(0, at)) then tree:add_proto_expert_info(e.wrong_crc) end
  end
end

local function join(tree, pinfo, response, op_id, attempt)
  local client, port = pinfo.src, pinfo.src_port
  if response then client, port = pinfo.dst, pinfo.dst_port end
  local key = string.format("%s/%d/%08x/%d", tostring(client), port, op_id, attempt)
  local entry = requests[key]
  if not pinfo.visited then
    if not response and not entry then
      requests[key] = { frame = pinfo.number, time = pinfo.abs_ts }
    elseif response and entry and not entry.answer then
      entry.answer = pinfo.number
    end
    entry = requests[key]
  end
  if not entry then return end
  if response then
    tree:add(f.answers, entry.frame):set_generated()
    local passed = pinfo.abs_ts - entry.time
    local seconds = math.floor(passed)
    tree:add(f.latency, NSTime.new(seconds, math.floor((passed - seconds) * 1e9))):set_generated()
  else
    if entry.answer then tree:add(f.answered_in, entry.answer):set_generated() end
    if entry.frame ~= pinfo.number then
      tree:add(f.repeats, entry.frame):set_generated()
      tree:add_proto_expert_info(e.repeated)
    end
  end
end

-- What an answer that is not OK says: of MOVED where to, of others why.
local function refusal(tree, packet, status)
  if status == STATUS.MOVED then
    tree:add(f.moved_to, packet(14, 4))
    tree:add(f.moved_port, packet(18, 2))
    return "to " .. tostring(packet(14, 4):ipv4())
  end
  tree:add(f.cause, packet(14, 1))
  tree:add(f.hint, packet(16, 4))
  return name(CAUSES, packet(14, 1):uint())
end

function mneme.dissector(packet, pinfo, root)
  pinfo.cols.protocol = "Mneme"
  local tree = root:add(mneme, packet())
  if packet:len() < HEADER_LEN then
    tree:add_proto_expert_info(e.short)
    return packet:len()
  end
  local flags, opcode_byte = packet(0, 1), packet(1, 1)
  tree:add(f.version, flags)
  tree:add(f.trailer, flags)
  tree:add(f.key_phase, flags)
  tree:add(f.timed, flags)
  tree:add(f.response, opcode_byte)
  tree:add(f.opcode, opcode_byte)
  if flags:bitfield(0, 4) ~= WIRE_VERSION then tree:add_proto_expert_info(e.version) end
  local response = opcode_byte:uint() >= RESPONSE_BIT
  local opcode = opcode_byte:uint() % RESPONSE_BIT
  local status = 0
  if response then
    status = packet(2, 1):uint() % (STATUS_CODE_MASK + 1)
    tree:add(f.slow, packet(2, 1))
    tree:add(f.status, packet(2, 1))
  else
    tree:add(f.epoch, packet(2, 1))
  end
  local ok = status == STATUS.OK
  tree:add(f.pid, packet(3, 3))
  tree:add(f.op_id, packet(6, 4))
  tree:add(f.attempt, packet(10, 1))
  local timed = flags:bitfield(7, 1) ~= 0
  tree:add(response and timed and f.cycles or f.tick, packet(11, 3))
  local info = name(OPCODES, opcode)
  if response and not ok then
    info = string.format("%s: %s %s", info, name(STATUSES, status), refusal(tree, packet, status))
    tree:add_proto_expert_info(e.refused, info)
  else
    tree:add(f.va, packet(14, 6), packet(14, 6):uint64())
    info = string.format("%s%s, %d bytes at 0x%s", info, response and " done" or "", packet(20, 2):uint(), packet(14, 6):bytes():tohex(true))
  end
  tree:add(f.length, packet(20, 2))
  local trailer = TRAILER_BYTES[flags:bitfield(4, 2)] or 0
  local payload = packet:len() - HEADER_LEN - trailer
  if payload ~= expected(opcode, response, ok, packet(20, 2):uint()) then tree:add_proto_expert_info(e.wrong_length) end
  if payload > 0 then
    local atomic = opcode == OP.COMPARE_SWAP or opcode == OP.FETCH_ADD or opcode == OP.SWAP
    for at = HEADER_LEN, HEADER_LEN + payload - 8, 8 do
      if atomic then tree:add_le(f.word, packet(at, 8)) end
    end
    tree:add(f.data, packet(HEADER_LEN, payload))
  end
  if payload >= 0 and trailer > 0 then show_trailer(tree, pinfo, packet, flags:bitfield(4, 2), HEADER_LEN + payload) end
  join(tree, pinfo, response, packet(6, 4):uint(), packet(10, 1):uint())
  pinfo.cols.info = string.format("%s, process %d", info, packet(3, 3):uint())
  return packet:len()
end

-- The longest IPv4 packet that any board takes.
local LARGEST_PACKET = 9000

-- Whether an answer that is not OK is one: a cause and a hint, and no bytes; MOVED has its own layout.
local function sound_refusal(packet, status)
  if status == STATUS.MOVED then return true end
  return CAUSES[packet(14, 1):uint()] ~= nil and packet(15, 1):uint() == 0 and packet(20, 2):uint() == 0
end

-- Whether address and length are what an operation can ask for or be answered with.
local function sound_range(packet, opcode)
  local length, last = packet(20, 2):uint(), packet(19, 1):uint()
  if opcode == OP.READ or opcode == OP.WRITE then return length >= 1 and length <= LARGEST_PACKET end
  if opcode == OP.FENCE then return length == 0 end
  if opcode == OP.COMPARE_SWAP or opcode == OP.FETCH_ADD or opcode == OP.SWAP then
    return length == 8 and last % 8 == 0
  end
  return length <= LARGEST_PACKET
end

-- Operations on no process, or on one that does not exist yet.
local function needs_no_process(opcode)
  return opcode == OP.OPEN or opcode == OP.PING or opcode == OP.COUNTERS
end

-- Operations that may ask how long they were on the board; OK answers to them tell it.
local function has_time(opcode)
  return opcode >= OP.READ and opcode <= OP.FENCE
end

-- Whether a datagram on any port is a packet of ours: DNS, RTP and random bytes are not.
local function is_ours(packet)
  if packet:len() < HEADER_LEN then return false end
  local flags = packet(0, 1)
  if flags:bitfield(0, 4) ~= WIRE_VERSION then return false end
  local trailer = flags:bitfield(4, 2)
  if TRAILERS[trailer] == nil then return false end
  local response = packet(1, 1):uint() >= RESPONSE_BIT
  -- A key's phase without a key; some refusals of a request with a tag have none.
  if flags:bitfield(6, 1) ~= 0 and trailer ~= TRAILER.TAG and not response then return false end
  local opcode = packet(1, 1):uint() % RESPONSE_BIT
  if OPCODES[opcode] == nil then return false end
  if packet(3, 3):uint() == 0 and not needs_no_process(opcode) then return false end
  local ok = true
  if response then
    local byte = packet(2, 1):uint()
    local status = byte % (STATUS_CODE_MASK + 1)
    if STATUSES[status] == nil or byte - status ~= 0 and byte - status ~= STATUS_SLOW_BIT then return false end
    ok = status == STATUS.OK
    if not ok and not sound_refusal(packet, status) then return false end
  end
  if flags:bitfield(7, 1) ~= 0 and not (ok and has_time(opcode)) then return false end
  if ok and not sound_range(packet, opcode) then return false end
  local payload = packet:len() - HEADER_LEN - TRAILER_BYTES[trailer]
  return payload == expected(opcode, response, ok, packet(20, 2):uint())
end

-- On any UDP port that no other dissector has.
mneme:register_heuristic("udp", function(packet, pinfo, root)
  if not is_ours(packet) then return false end
  mneme.dissector(packet, pinfo, root)
  return true
end)

-- On the default port, and on those of the preferences.
local bound = ""
function mneme.prefs_changed()
  local udp = DissectorTable.get("udp.port")
  if bound ~= "" then udp:remove(bound, mneme) end
  bound = mneme.prefs.ports
  udp:add(bound, mneme)
end
DissectorTable.get("udp.port"):add(mneme.prefs.ports, mneme)
bound = mneme.prefs.ports
