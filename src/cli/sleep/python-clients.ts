/** The part of `sitecustomize.py` that counts calls, and that lets asyncio wait for docdouble. */
export const PYTHON_CLIENTS = `    def count_calls():
        """urllib, requests and other clients of http.client. A call is open from its request to the head of its answer."""
        import http.client as client

        begin, answer, close = client.HTTPConnection.putrequest, client.HTTPConnection.getresponse, client.HTTPConnection.close

        def counted(connection, change):
            with guard:
                is_open = getattr(connection, "_docdouble_open", False)
                if is_open == (change > 0):
                    return
                connection._docdouble_open = change > 0
                state["calls"] += change
                state["called"] = real_monotonic()
            ring()

        def putrequest(self, method, url, *args, **kwargs):
            # A call that sleeps by itself waits as a sleep does.
            if not url.endswith("/__admin/clock/sleep"):
                counted(self, 1)
            return begin(self, method, url, *args, **kwargs)

        def getresponse(self, *args, **kwargs):
            try:
                return answer(self, *args, **kwargs)
            finally:
                counted(self, -1)

        def closed(self):
            counted(self, -1)
            return close(self)

        client.HTTPConnection.putrequest = putrequest
        client.HTTPConnection.getresponse = getresponse
        client.HTTPConnection.close = closed

    def loops():
        """asyncio waits in its selector, which then also waits for docdouble."""
        import asyncio.base_events as base
        import asyncio.events as events
        import asyncio.selector_events as selector_events

        class TimerHandle(events.TimerHandle):
            __slots__ = ("end",)

            def __init__(self, when, callback, args, loop, context=None):
                super().__init__(when, callback, args, loop, context)
                self.end = state["declared"] + int(-(-max(0, when - loop.time()) * 1000 // 1))

        events.TimerHandle = TimerHandle
        begin, call_later = selector_events.BaseSelectorEventLoop.__init__, base.BaseEventLoop.call_later

        def later(self, delay, *args, **kwargs):
            handle = call_later(self, delay, *args, **kwargs)
            handle.end = state["declared"] + int(-(-max(0, delay) * 1000 // 1))
            return handle

        def init(self, *args, **kwargs):
            begin(self, *args, **kwargs)
            selector = self._selector
            select_ = selector.select

            def select(timeout=None):
                ready = select_(0)
                if ready or (timeout is not None and timeout <= 0):
                    return ready
                if timeout is None or not self._scheduled:
                    return select_(timeout)
                # Answers of calls arrive before longer waits.
                if any(key.fileobj is not self._ssock for key in selector.get_map().values()):
                    ready = select_(min(timeout, 0.03))
                    if ready:
                        return ready
                one = Sleep(timeout, self._write_to_self, self._scheduled[0].end)
                try:
                    return select_(limit(timeout))
                finally:
                    one.leave()

            selector.select = select

        selector_events.BaseSelectorEventLoop.__init__ = init
        base.BaseEventLoop.call_later = later`;
