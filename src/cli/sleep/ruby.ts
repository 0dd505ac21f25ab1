/** `docdouble_sleep.rb` for `--sleep virtual`. Ruby loads it through RUBYOPT when it starts. */
export const RUBY_SLEEP = String.raw`# Sleeps of this program move docdouble's clock, and take no real time.
require "socket"

module DocdoubleSleep
  ADDRESS, KEY = ENV.fetch("DOCDOUBLE_SLEEP").split(" ", 2)
  HOST, PORT = ADDRESS.split("://", 2)[1].split(":")
  CLOCKS = [Process::CLOCK_REALTIME, Process::CLOCK_MONOTONIC].freeze
  REAL_CLOCK = Process.method(:clock_gettime)
  REAL_NOW = Time.method(:now)
  REAL_SLEEP = Kernel.instance_method(:sleep)
  GUARD = Thread::Mutex.new
  MACHINE = begin
    "#{File.read("/proc/sys/kernel/random/boot_id").strip}/#{File.readlink("/proc/self/ns/pid")}"
  rescue SystemCallError
    ""
  end
  # The limits of Net::HTTP guard a connection, so they stay real. Their waits begin in these files.
  GUARDS = %r{/(\d+\.\d+\.\d+|lib)/(net|openssl|socket|resolv|timeout)(/|\.rb)}
  @ahead = 0.0
  @asleep = {}

  class << self
    attr_reader :ahead

    def real
      REAL_CLOCK.call(Process::CLOCK_MONOTONIC)
    end

    def now
      real + @ahead
    end

    # Threads that may be busy.
    def others
      Thread.list.count { |one| one != Thread.current && !@asleep[one] && !parked?(one) }
    end

    # Waits for another thread, without a limit. Ruby names this state only in inspect.
    def parked?(thread)
      thread.inspect.end_with?("sleep_forever>")
    end

    def pause
      REAL_SLEEP.bind_call(self, 0.001)
    end

    def asleep(threads)
      GUARD.synchronize { threads.each { |one| @asleep[one] = (@asleep[one] || 0) + 1 } }
      yield
    ensure
      GUARD.synchronize { threads.each { |one| (@asleep[one] -= 1).positive? || @asleep.delete(one) } }
    end

    def guards?(depth)
      caller_locations(2, depth).any? { |one| GUARDS.match?(one.path) }
    end

    def open(seconds)
      body = format('{"by":%d,"process":"%d@%s","others":%d}', (seconds * 1000).ceil, Process.pid, MACHINE, others)
      socket = TCPSocket.new(HOST, PORT.to_i)
      socket.write("POST /__admin/clock/sleep HTTP/1.1\r\nhost: #{HOST}:#{PORT}\r\nauthorization: API-Key #{KEY}\r\n" \
                   "connection: close\r\ncontent-type: application/json\r\ncontent-length: #{body.bytesize}\r\n\r\n#{body}")
      socket
    end

    def sleep(seconds)
      began = now
      socket = open(seconds)
      answer = asleep([Thread.current]) { socket.read }
      found = answer.match(/"from":\s*"([^"]+)",\s*"to":\s*"([^"]+)"/)
      slept = [seconds, found ? span(found[2]) - span(found[1]) : seconds].max
      GUARD.synchronize { @ahead = [@ahead, began + slept - real].max }
    rescue SystemCallError
      REAL_SLEEP.bind_call(self, seconds)
    ensure
      socket&.close
    end

    def span(text)
      year, month, day, hour, minute, second = text.match(/(\d+)-(\d+)-(\d+)T(\d+):(\d+):(\d+\.?\d*)/).captures
      Time.utc(year.to_i, month.to_i, day.to_i, hour.to_i, minute.to_i, second.to_r).to_r
    end

    # Waits for a block that wakes early, such as a condition variable or a queue.
    def watch(limit)
      target = Thread.current
      waker = Thread.new do
        # Until the thread waits, it counts as busy.
        100.times { parked?(target) ? break : pause }
        DocdoubleSleep.sleep(limit)
      end
      yield waker
    ensure
      waker&.kill
    end
  end

  module Sleep
    def sleep(*args)
      seconds = args.first
      return REAL_SLEEP.bind_call(self, *args) if seconds.nil? || seconds.to_f <= 0 || DocdoubleSleep.guards?(1)

      began = DocdoubleSleep.now
      DocdoubleSleep.sleep(seconds.to_f)
      (DocdoubleSleep.now - began).round
    end
  end

  module Clock
    def clock_gettime(id, unit = :float_second)
      return super unless CLOCKS.include?(id)

      ahead = DocdoubleSleep.ahead
      case unit
      when :float_second then super + ahead
      when :float_millisecond then super + ahead * 1e3
      when :float_microsecond then super + ahead * 1e6
      when :second then super + ahead.to_i
      when :millisecond then super + (ahead * 1e3).to_i
      when :microsecond then super + (ahead * 1e6).to_i
      else super + (ahead * 1e9).to_i
      end
    end
  end

  module Now
    def now(*args, **options)
      super + DocdoubleSleep.ahead
    end
  end

  # A timed wait holds its mutex again when the time is over, as Ruby's own does.
  module Condition
    def wait(mutex, timeout = nil)
      return super if timeout.nil? || DocdoubleSleep.guards?(1)

      over = false
      DocdoubleSleep.watch(timeout.to_f) do |waker|
        condition = self
        ender = Thread.new do
          waker.join
          mutex.synchronize do
            over = true
            condition.broadcast
          end
        end
        begin
          super(mutex)
        ensure
          ender.kill
        end
      end
      over ? nil : self
    end
  end
end

Kernel.prepend(DocdoubleSleep::Sleep)
Object.prepend(DocdoubleSleep::Sleep)
Kernel.singleton_class.prepend(DocdoubleSleep::Sleep)
Process.singleton_class.prepend(DocdoubleSleep::Clock)
Time.singleton_class.prepend(DocdoubleSleep::Now)
Thread::ConditionVariable.prepend(DocdoubleSleep::Condition)

require "timeout"
module DocdoubleSleep
  # No rescue of a StandardError inside the block stops it. Net::HTTP would rescue a Timeout::Error and call again.
  class Expired < Exception
  end

  module Limit
    def timeout(seconds, error = nil, message = nil, &block)
      return super if seconds.nil? || seconds.zero? || DocdoubleSleep.guards?(2)

      target = Thread.current
      expired = error ? [error, message || "execution expired"] : [Expired.new]
      begin
        waker = Thread.new do
          DocdoubleSleep.sleep(seconds.to_f)
          target.raise(*expired)
        end
        block.call(seconds)
      rescue Expired => found
        raise unless found.equal?(expired.first)

        raise Timeout::Error, message || "execution expired"
      ensure
        waker.kill
      end
    end
  end
end
Timeout.singleton_class.prepend(DocdoubleSleep::Limit)

begin
  DocdoubleSleep.open(0).read
rescue SystemCallError
  nil
end
`;
