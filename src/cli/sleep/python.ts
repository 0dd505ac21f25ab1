import { PYTHON_CHAIN } from "../python-chain.ts";
import { PYTHON_CLIENTS } from "./python-clients.ts";

/** `sitecustomize.py` for `--sleep virtual`. Python loads it from PYTHONPATH when it starts. */
export const SITECUSTOMIZE = String.raw`# Sleeps of this program move docdouble's clock, and take no real time.
import importlib.machinery
import os
import sys
${PYTHON_CHAIN}

def _install(address, key):
    import _thread
    import datetime
    import json
    import re
    import select
    import socket
    import threading
    import time

    host, port = address.split("://", 1)[1].split(":")
    real_monotonic, real_sleep = time.monotonic, time.sleep
    real_time, real_perf = time.time, time.perf_counter
    real_time_ns, real_monotonic_ns, real_perf_ns = time.time_ns, time.monotonic_ns, time.perf_counter_ns
    real_wait, real_join = threading.Condition.wait, threading.Thread.join
    RealDatetime = datetime.datetime

    # Limits in seconds of real time, in this order: for a call without an answer, for a thread that waits, for one that works, and for docdouble's answer.
    CALL, STILL, BUSY, LATE = 0.2, 0.1, 0.5, 1.0

    # The collector of garbage may close a connection while this thread holds the guard.
    guard = _thread.RLock()
    # declared: milliseconds by which the sleeps of this program have moved docdouble's clock. ahead: seconds before real time.
    state = {"declared": 0, "ahead": 0.0, "calls": 0, "called": 0.0, "clock": None}
    waits = []  # sleeps that are not over
    parked = set()  # threads that wait for another one without a limit
    joined = {}  # threads that wait for the end of another one
    woken = {}  # threads that were woken and do not run yet

    def now():
        return real_monotonic() + state["ahead"]

    class Sleep:
        """Ends at an instant of docdouble's clock, which declared counts."""

        def __init__(self, seconds, wake, end=None):
            self.due = now() + seconds
            self.thread, self.wake, self.is_over = _thread.get_ident(), wake, False
            with guard:
                self.end = state["declared"] + int(-(-seconds * 1000 // 1)) if end is None else end
                waits.append(self)
            ring()

        def leave(self):
            with guard:
                woken.pop(self.thread, None)
                if self in waits:
                    waits.remove(self)
            ring()

    def ring():
        """Tells the clock that a thread did something."""
        try:
            with guard:
                if state["clock"] is None and waits:
                    state["clock"] = Clock()
            if state["clock"]:
                state["clock"].bell.send(b"!")
        except (OSError, RuntimeError):
            # The bell rings already, or the program ends and starts no threads.
            pass

    class Clock:
        """Asks docdouble to move its clock to the earliest end, while all threads of the program wait."""

        def __init__(self):
            self.pid = os.getpid()
            self.heard, self.bell = socket.socketpair()
            self.heard.setblocking(False)
            self.bell.setblocking(False)
            self.places, self.threads = {}, set()
            _thread.start_new_thread(self.run, ())

        def run(self):
            asked = began = None
            while self.pid == os.getpid():
                with guard:
                    first = min(waits, key=lambda one: one.end, default=None)
                if first is None:
                    asked = asked and asked.close()
                    self.listen(None, None)
                    continue
                if first.end <= state["declared"]:
                    self.wake()
                    continue
                is_quiet = self.is_quiet()
                if asked and (first.end != asked.end or asked.is_quiet and not is_quiet):
                    asked = asked.close()
                if asked is None:
                    began = began or real_monotonic()
                    if not is_quiet and real_monotonic() - began < BUSY:
                        real_sleep(0.001)
                        continue
                    began = None
                    try:
                        asked = Asked(first.end, is_quiet and state["calls"] == 0)
                        asked.is_quiet = is_quiet
                    except OSError:
                        # docdouble does not answer, so real time counts.
                        self.listen(None, max(0, first.due - now()))
                        if first.due <= now():
                            state["declared"] = first.end
                        continue
                if self.listen(asked, 0.005) and asked.read():
                    asked = None

        def listen(self, asked, limit):
            """True when docdouble says something."""
            ready, _, _ = select.select([self.heard] + ([asked] if asked else []), [], [], limit)
            try:
                while self.heard.recv(4096):
                    pass
            except OSError:
                pass
            return asked in ready

        def wake(self):
            """In the order of their times."""
            with guard:
                over = sorted((one for one in waits if one.end <= state["declared"]), key=lambda one: one.end)
                for one in over:
                    waits.remove(one)
                    one.is_over = True
                    woken[one.thread] = real_monotonic()
                    state["ahead"] = max(state["ahead"], one.due - real_monotonic())
            for one in over:
                one.wake()

        def is_quiet(self):
            """All threads sleep, wait for others, or stand still for long."""
            moment = real_monotonic()
            if state["calls"] > 0 and moment - state["called"] < CALL:
                return False
            frames = sys._current_frames()
            frames.pop(_thread.get_ident(), None)
            if self.threads - frames.keys():
                # A thread ended. Another one may wait for that.
                for ident, (place, since) in self.places.items():
                    self.places[ident] = (place, max(since, moment - STILL + 0.02))
            self.threads = set(frames)
            self.places = {ident: place for ident, place in self.places.items() if ident in frames}
            with guard:
                asleep = {one.thread for one in waits} | parked | {one for one, other in joined.items() if other.is_alive()}
                awake = {one for one, since in woken.items() if moment - since < BUSY}
            is_quiet = True
            for ident, frame in frames.items():
                if ident in asleep and ident not in awake:
                    self.places.pop(ident, None)
                    continue
                place = (id(frame.f_code), frame.f_lasti)
                before = self.places.get(ident)
                if before is None or before[0] != place:
                    before = self.places[ident] = (place, moment)
                if ident in awake or moment - before[1] < STILL:
                    is_quiet = False
            return is_quiet

    class Asked:
        """One question to docdouble, on a separate socket."""

        def __init__(self, end, alone):
            self.end, self.text = end, b""
            self.began, self.base = now(), state["declared"]
            body = json.dumps({"by": end - self.base, "alone": alone})
            head = (
                "POST /__admin/clock/sleep HTTP/1.1\r\nhost: %s:%s\r\nauthorization: API-Key %s\r\nconnection: close\r\n"
                "content-type: application/json\r\ncontent-length: %d\r\n\r\n" % (host, port, key, len(body))
            )
            self.socket = socket.create_connection((host, int(port)))
            self.socket.sendall((head + body).encode())

        def fileno(self):
            return self.socket.fileno()

        def read(self):
            """True once docdouble answered, or ended the connection."""
            try:
                more = self.socket.recv(65536)
            except OSError:
                more = b""
            self.text += more
            found = re.search(rb'"from":\s*"([^"]+)",\s*"to":\s*"([^"]+)"', self.text)
            if found:
                begin, end = (RealDatetime.fromisoformat(one.decode().replace("Z", "+00:00")) for one in found.groups())
                slept = (end - begin).total_seconds()
                with guard:
                    state["declared"] = max(state["declared"], self.base + round(slept * 1000))
                    state["ahead"] = max(state["ahead"], self.began + slept - real_monotonic())
            if more and not found:
                return False
            self.close()
            if not found:
                real_sleep(0.01)
            return True

        def close(self):
            self.socket.close()

    def limit(seconds):
        return min(seconds + LATE, threading.TIMEOUT_MAX)

    def sleep(seconds):
        if seconds <= 0:
            return real_sleep(seconds)
        lock = _thread.allocate_lock()
        lock.acquire()
        one = Sleep(float(seconds), lock.release)
        try:
            lock.acquire(True, limit(seconds))
        finally:
            one.leave()

    class Waiter:
        """What a condition releases. Its thread is awake from then on."""

        def __init__(self):
            self.lock, self.thread, self.is_free = _thread.allocate_lock(), _thread.get_ident(), False
            self.lock.acquire()

        def release(self):
            with guard:
                if self.is_free:
                    return
                self.is_free = True
                parked.discard(self.thread)
                woken[self.thread] = real_monotonic()
            self.lock.release()
            ring()

    def wait(self, timeout=None):
        """threading.Condition.wait. Event, Queue and futures wait with it."""
        if (timeout is not None and timeout <= 0) or not self._is_owned():
            return real_wait(self, timeout)
        waiter = Waiter()
        self._waiters.append(waiter)
        saved = self._release_save()
        one = None
        try:
            if timeout is None:
                with guard:
                    if not waiter.is_free:
                        parked.add(waiter.thread)
                ring()
                waiter.lock.acquire()
            else:
                one = Sleep(float(timeout), waiter.release)
                waiter.lock.acquire(True, limit(timeout))
        finally:
            with guard:
                parked.discard(waiter.thread)
                woken.pop(waiter.thread, None)
            if one:
                one.leave()
            self._acquire_restore(saved)
            is_notified = waiter not in self._waiters
            if not is_notified:
                self._waiters.remove(waiter)
        return is_notified

    def join(self, timeout=None):
        if timeout is not None:
            return real_join(self, timeout)
        joined[_thread.get_ident()] = self
        ring()
        try:
            return real_join(self)
        finally:
            joined.pop(_thread.get_ident(), None)

    def begin_anew():
        """A child process has one thread."""
        guard._at_fork_reinit()
        state.update(clock=None, calls=0)
        for one in (waits, parked, joined, woken):
            one.clear()

    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=begin_anew)

    class Meta(type(RealDatetime)):
        def __instancecheck__(cls, one):
            return isinstance(one, RealDatetime)

        def __subclasscheck__(cls, one):
            return issubclass(one, RealDatetime)

    class Datetime(RealDatetime, metaclass=Meta):
        @classmethod
        def now(cls, tz=None):
            return RealDatetime.now(tz) + datetime.timedelta(seconds=state["ahead"])

        @classmethod
        def utcnow(cls):
            return RealDatetime.utcnow() + datetime.timedelta(seconds=state["ahead"])

        @classmethod
        def today(cls):
            return cls.now()

    Datetime.__name__ = Datetime.__qualname__ = "datetime"
    Datetime.__module__ = "datetime"
    datetime.datetime = Datetime

    def ns():
        return int(state["ahead"] * 1e9)

    time.sleep = sleep
    time.time = lambda: real_time() + state["ahead"]
    time.monotonic = lambda: real_monotonic() + state["ahead"]
    time.perf_counter = lambda: real_perf() + state["ahead"]
    time.time_ns = lambda: real_time_ns() + ns()
    time.monotonic_ns = lambda: real_monotonic_ns() + ns()
    time.perf_counter_ns = lambda: real_perf_ns() + ns()
    threading.Condition.wait = wait
    threading.Thread.join = join
    # Libraries look these functions up by their module and name.
    for name in ("sleep", "time", "monotonic", "perf_counter", "time_ns", "monotonic_ns", "perf_counter_ns"):
        patched = getattr(time, name)
        patched.__module__, patched.__name__, patched.__qualname__ = "time", name, name
    threading._time = time.monotonic
    for name in ("queue", "_queue"):
        if name in sys.modules and hasattr(sys.modules[name], "time"):
            sys.modules[name].time = time.monotonic

${PYTHON_CLIENTS}

    _later("http.client", count_calls)
    _later("asyncio.selector_events", loops)
    # docdouble then knows that this program declares its sleeps.
    try:
        asked = Asked(0, False)
        select.select([asked], [], [], LATE)
        asked.close()
    except OSError:
        pass


try:
    _own()
finally:
    if os.environ.get("DOCDOUBLE_SLEEP"):
        _install(*os.environ["DOCDOUBLE_SLEEP"].split(" ", 1))
    if os.environ.get("DOCDOUBLE_RANDOM"):
        # An exploration with the same seed then sees the same pauses.
        _later("random", lambda: sys.modules["random"].seed(" ".join([os.environ["DOCDOUBLE_RANDOM"], *getattr(sys, "argv", [])])))
`;
