/** `docdouble_sleep.rb` for `--sleep virtual`. Ruby loads it through RUBYOPT when it starts. */
export const RUBY_SLEEP = String.raw`# Sleeps of this program move docdouble's clock, and take no real time.
require "monitor"
require "socket"

module DocdoubleSleep
  ADDRESS, KEY = ENV.fetch("DOCDOUBLE_SLEEP").split(" ", 2)
  HOST, PORT = ADDRESS.split("://", 2)[1].split(":")
  CLOCKS = [Process::CLOCK_REALTIME, Process::CLOCK_MONOTONIC].freeze
  REAL_CLOCK = Process.method(:clock_gettime)
  REAL_NOW = Time.method(:now)
  REAL_SLEEP = Kernel.instance_method(:sleep)
  # The limits of Net::HTTP guard a connection, so they stay real. Their waits begin in these files.
  GUARDS = %r{/(\d+\.\d+\.\d+|lib)/(net|openssl|socket|resolv|timeout)(/|\.rb)}
  GUARD = Monitor.new
  # Seconds of real time: a thread in a call, a thread that waits for a file or a socket, a thread that does not wait, and no answer.
  CALL = 0.2
  STILL = 0.1
  BUSY = 0.5
  LATE = 1.0

  # A sleep ends at an instant of docdouble's clock, which declared counts in milliseconds. A limit of other work has no thread.
  Wait = Struct.new(:end, :due, :thread, :wake, :over)

  @ahead = 0.0
  @declared = 0
  @waits = []
  @since = {}

  class << self
    attr_reader :ahead

    def real
      REAL_CLOCK.call(Process::CLOCK_MONOTONIC)
    end

    def now
      real + @ahead
    end

    def pause(seconds = 0.001)
      REAL_SLEEP.bind_call(self, seconds)
    end

    def guards?(depth)
      caller_locations(2, depth).any? { |one| GUARDS.match?(one.path) }
    end

    # Runs a block while a sleep is open. When the sleep is over, wake runs until the block ends.
    def during(seconds, thread, wake, &work)
      wait = nil
      GUARD.synchronize do
        wait = Wait.new(@declared + (seconds * 1000).ceil, now + seconds, thread, wake, false)
        @waits << wait
        start
      end
      work.call(wait)
    ensure
      GUARD.synchronize { @waits.delete(wait) }
    end

    def asleep(seconds, &work)
      target = Thread.current
      during(seconds, target, -> { target.wakeup }, &work)
    end

    def sleep(seconds)
      asleep(seconds) { REAL_SLEEP.bind_call(self, seconds + LATE) }
    end

    # Threads of a parent process do not live in its child.
    def start
      return if @clock&.alive? && @pid == Process.pid

      @waits = @waits.last(1) if @pid && @pid != Process.pid
      @pid = Process.pid
      @clock = Thread.new { run }
      @clock.report_on_exception = false
    end

    # Asks docdouble to move its clock to the earliest end, while all threads wait.
    def run
      asked = began = nil
      loop do
        wake_due
        first = GUARD.synchronize { @waits.reject(&:over).min_by(&:end) }
        quiet = quiet?
        if asked && (first.nil? || first.end != asked[:end] || (asked[:quiet] && !quiet))
          asked[:socket].close
          asked = nil
        end
        return if first.nil? && over?

        if first.nil? || (asked.nil? && !quiet && real - (began ||= real) < BUSY)
          pause
        elsif asked.nil?
          asked = ask(first.end, quiet && !@in_call)&.merge(quiet: quiet)
          began = nil
          lapse(first) if asked.nil?
        elsif asked[:socket].wait_readable(0.005)
          settle(asked)
          asked = nil
        end
      end
    end

    # Nobody sleeps, so this thread ends. The next sleep starts another one.
    def over?
      GUARD.synchronize do
        @clock = nil if @waits.empty?
        @waits.empty?
      end
    end

    def ask(instant, alone)
      by = instant - @declared
      body = format('{"by":%d,"alone":%s}', by, alone)
      socket = TCPSocket.new(HOST, PORT.to_i)
      socket.write("POST /__admin/clock/sleep HTTP/1.1\r\nhost: #{HOST}:#{PORT}\r\nauthorization: API-Key #{KEY}\r\n" \
                   "connection: close\r\ncontent-type: application/json\r\ncontent-length: #{body.bytesize}\r\n\r\n#{body}")
      { socket: socket, end: instant, began: now, base: @declared }
    rescue SystemCallError
      nil
    end

    # docdouble does not answer, so real time counts.
    def lapse(first)
      pause
      @declared = first.end if first.due <= now
    end

    def settle(asked)
      found = asked[:socket].read.match(/"from":\s*"([^"]+)",\s*"to":\s*"([^"]+)"/)
      return pause if found.nil?

      slept = span(found[2]) - span(found[1])
      @declared = [@declared, asked[:base] + (slept * 1000).round].max
      @ahead = [@ahead, asked[:began] + slept.to_f - real].max
    rescue SystemCallError
      pause
    ensure
      asked[:socket].close
    end

    # In the order of their times. A thread may be on its way into its sleep, so this repeats until it is awake.
    def wake_due
      GUARD.synchronize do
        @waits.select { |one| one.end <= @declared }.sort_by(&:end).each do |one|
          one.over = true
          @ahead = [@ahead, one.due - real].max
          one.wake.call
        end
      rescue ThreadError
        nil
      end
    end

    # All threads sleep, wait for others, or wait for long for something that docdouble does not know.
    def quiet?
      return false if GUARD.synchronize { @waits.any?(&:over) }

      @in_call = false
      threads = Thread.list - [Thread.current]
      @since.keep_if { |one, _| threads.include?(one) }
      threads.all? { |one| still?(one) }
    end

    def still?(thread)
      if thread.status != "sleep"
        @since.delete(thread)
        return false
      end
      # Ruby names these states only in inspect.
      return true if thread.inspect.end_with?("sleep_forever>") || sleeps?(thread)

      since = (@since[thread] ||= real)
      in_call = (thread.backtrace || []).first(30).any? { |line| GUARDS.match?(line) }
      @in_call ||= in_call
      real - since > (in_call ? CALL : STILL)
    end

    def sleeps?(thread)
      GUARD.synchronize { @waits.any? { |one| one.thread == thread } }
    end

    def span(text)
      year, month, day, hour, minute, second = text.match(/(\d+)-(\d+)-(\d+)T(\d+):(\d+):(\d+\.?\d*)/).captures
      Time.utc(year.to_i, month.to_i, day.to_i, hour.to_i, minute.to_i, second.to_r).to_r
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

  # A condition may wake without a reason, so a wakeup ends its wait as a signal does.
  module Condition
    def wait(mutex, timeout = nil)
      return super if timeout.nil? || DocdoubleSleep.guards?(1)

      DocdoubleSleep.asleep(timeout.to_f) do |wait|
        found = super(mutex, timeout.to_f + LATE)
        wait.over ? nil : found
      end
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
      raised = false
      stop = lambda do
        target.raise(*expired) unless raised
        raised = true
      end
      DocdoubleSleep.during(seconds.to_f, nil, stop) { block.call(seconds) }
    rescue Expired => found
      raise unless found.equal?(expired.first)

      raise Timeout::Error, message || "execution expired"
    end
  end
end
Timeout.singleton_class.prepend(DocdoubleSleep::Limit)

# An exploration with the same seed then sees the same pauses.
srand([ENV["DOCDOUBLE_RANDOM"], $0, *ARGV].join(" ").sum) if ENV["DOCDOUBLE_RANDOM"]

begin
  # docdouble then knows that this program declares its sleeps.
  DocdoubleSleep.ask(0, false)&.fetch(:socket)&.read
end
`;
