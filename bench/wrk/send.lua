-- Sends a request template repeatedly, each time with another value at a fixed offset.
--
--   wrk … -s send.lua URL -- REQUEST_FILE OFFSET VALUES_FILE VALUE_LENGTH THREADS LEAD_IN_SECONDS SECONDS
--
-- The same script loads the bare engine and the service: the value is the path of a presigned URL for the former, and a
-- conversation_timestamp for the latter. wrk shares the machine with what it measures, so a request must be cheap. Building
-- a 4.8 MB request by concatenation costs 5.4 ms of CPU, because Lua copies the recording several times. This script
-- overwrites the value inside the Lua string that was read at the start, which costs 1.5 ms (0.9 ms for a constant
-- request). Lua strings are immutable, but this one is neither a table key nor compared, so changing it is safe. The rest is
-- wrk's copy to the connection buffer and the kernel's copy to the socket, which are the same for both sides.
local ffi = require("ffi")
ffi.cdef([[
  typedef struct { long seconds; long nanoseconds; } bench_time;
  int clock_gettime(int clock, bench_time *time);
]])

local monotonic = 1
local time = ffi.new("bench_time")
local function now()
  ffi.C.clock_gettime(monotonic, time)
  return tonumber(time.seconds) + tonumber(time.nanoseconds) / 1e9
end

local threads = {}

function setup(thread)
  thread:set("first", #threads)
  table.insert(threads, thread)
end

local function read(path)
  local file = assert(io.open(path, "rb"))
  local text = file:read("*a")
  file:close()
  return text
end

local message, field, values, value_length, value_count, next_value, thread_count, lead_in, seconds
local from, till

-- Read by done() through thread:get, hence global.
answered, measured, refused, refusal = 0, 0, 0, ""

function init(args)
  message = read(args[1])
  field = ffi.cast("char *", message) + tonumber(args[2])
  values = read(args[3])
  value_length = tonumber(args[4])
  value_count = #values / value_length
  thread_count, lead_in, seconds = tonumber(args[5]), tonumber(args[6]), tonumber(args[7])
  next_value = first
end

function request()
  if not from then
    from, till = now() + lead_in, now() + seconds
  end
  assert(next_value < value_count, "more requests than values were prepared")
  ffi.copy(field, ffi.cast("const char *", values) + next_value * value_length, value_length)
  next_value = next_value + thread_count
  return message
end

function response(status, _, body)
  if status ~= 200 then
    refused = refused + 1
    if refused == 1 then
      refusal = status .. " " .. body
    end
    return
  end
  answered = answered + 1
  -- The first responses come in a burst, and requests in flight at the end are not counted: only the time between is steady.
  local at = now()
  if at >= from and at < till then
    measured = measured + 1
  end
end

local function json_text(text)
  return '"' .. text:gsub('[%c"\\]', function(char)
    return string.format("\\u%04x", char:byte())
  end) .. '"'
end

-- Prints the last line of wrk's output.
function done(summary, latency)
  local sums, first_refusal = { answered = 0, measured = 0, refused = 0 }, ""
  for _, thread in ipairs(threads) do
    for name, sum in pairs(sums) do
      sums[name] = sum + thread:get(name)
    end
    if first_refusal == "" then
      first_refusal = thread:get("refusal")
    end
  end
  local errors = summary.errors
  print(string.format(
    '{"answered":%d,"measured":%d,"refused":%d,"refusal":%s,"failed":%d,"p99_ms":%.2f,"cpu_seconds":%.6f}',
    sums.answered, sums.measured, sums.refused, json_text(first_refusal:sub(1, 2000)),
    errors.connect + errors.read + errors.write + errors.timeout, latency:percentile(99) / 1000, os.clock()
  ))
end
