<?php
// Tests against docdouble: one server for all tests, and one tenant for each test.
// Extend this class, and give your client $this->url and $this->key.
use PHPUnit\Framework\TestCase;

abstract class DocdoubleTestCase extends TestCase
{
    /** For the client under test. The key selects a tenant of this test alone. */
    protected string $url = '';
    protected string $key = '';
    private string $story = '';
    private static ?string $server = null;

    protected function setUp(): void
    {
        $this->url = self::$server ??= self::server();
        $this->key = self::isOneWorld() ? (string) getenv('DOCDOUBLE_API_KEY') : 'test-' . bin2hex(random_bytes(8));
    }

    /** `docdouble explore` sets it, and `run` with a scenario or a file to write, because these concern one key only. */
    private static function isOneWorld(): bool
    {
        return (bool) getenv('DOCDOUBLE_ONE_WORLD');
    }

    /** Runs after a test that passed. */
    protected function assertPostConditions(): void
    {
        if (!self::isOneWorld()) {
            $this->assertSame([], $this->problems(), 'docdouble found mistakes');
        }
    }

    protected function tearDown(): void
    {
        if (self::isOneWorld()) {
            return;
        }
        $this->story = $this->whatHappened();
        $this->call('DELETE', "/__admin/tenants/{$this->key}");
    }

    /** Adds what happened to the message of a failure. */
    protected function onNotSuccessfulTest(Throwable $failure): never
    {
        $message = new ReflectionProperty($failure instanceof Exception ? Exception::class : Error::class, 'message');
        $message->setAccessible(true);
        if ($this->story !== '') {
            $message->setValue($failure, "{$failure->getMessage()}\n\nWhat happened:\n{$this->story}");
        }
        throw $failure;
    }

    /** Returns the status and the body, also of a refusal. */
    protected function call(string $method, string $path, array|string|null $body = null): array
    {
        $headers = ["Authorization: API-Key {$this->key}", 'Content-Type: application/json'];
        $http = ['method' => $method, 'header' => $headers, 'ignore_errors' => true, 'timeout' => 60];
        if ($body !== null) {
            $http['content'] = is_string($body) ? $body : json_encode($body);
        }
        $text = file_get_contents($this->url . $path, false, stream_context_create(['http' => $http]));
        return [(int) explode(' ', $http_response_header[0])[1], json_decode($text, true)];
    }

    /** The test goes on in a world that `run --save-world` wrote. Its calls do not count as calls of the test. */
    protected function loadWorld(string $file): void
    {
        [$status, $answer] = $this->call('PUT', '/__admin/world', (string) file_get_contents($file));
        if ($status !== 200) {
            throw new RuntimeException("$file: {$answer['detail']}");
        }
        $this->call('DELETE', '/__admin/requests');
    }

    /** One line for each call of the test, oldest first. */
    protected function whatHappened(): string
    {
        $lines = array_map(function (array $one): string {
            $why = $one['why'] === null ? '' : " ({$one['why']})";
            $answer = $one['response']['status'] ?? 'no answer';
            return "{$one['request']['method']} {$one['request']['url']} -> {$answer}{$why}";
        }, array_reverse($this->call('GET', '/__admin/requests')[1]['requests']));
        return implode("\n", $lines) ?: 'no call';
    }

    /** Calls of unknown paths, and mistakes that the service accepts. */
    protected function problems(): array
    {
        $unmatched = $this->call('GET', '/__admin/requests/unmatched')[1]['requests'];
        $findings = $this->call('GET', '/__admin/contract')[1]['findings'];
        return array_merge(
            array_map(fn (array $one): string => "unknown path: {$one['method']} {$one['url']}", $unmatched),
            array_map(fn (array $one): string => "{$one['kind']}: {$one['message']} {$one['fix']}", $findings),
        );
    }

    /** Attaches to DOCDOUBLE_URL, as under `docdouble run`. Otherwise starts a server that ends with this process. */
    private static function server(): string
    {
        $url = getenv('DOCDOUBLE_URL');
        if ($url) {
            return rtrim($url, '/');
        }
        $command = [self::command(), 'start', '--port', '0', '--clock', 'auto', '--seed', '1', '--log', 'silent', '--stop-with-input'];
        $process = proc_open($command, [['pipe', 'r'], ['pipe', 'w'], STDERR], $pipes);
        $line = is_resource($process) ? (string) fgets($pipes[1]) : '';
        if (!str_contains($line, ' on ')) {
            throw new RuntimeException("docdouble did not start: $line");
        }
        register_shutdown_function(function () use ($process, $pipes): void {
            fclose($pipes[0]);
            proc_close($process);
        });
        return trim(explode(' on ', $line)[1]);
    }

    /** docdouble of the project, of a folder above, or on PATH. */
    private static function command(): string
    {
        for ($folder = __DIR__; ; $folder = dirname($folder)) {
            $found = "$folder/node_modules/.bin/docdouble";
            if (is_executable($found)) {
                return $found;
            }
            if ($folder === dirname($folder)) {
                break;
            }
        }
        foreach (explode(PATH_SEPARATOR, (string) getenv('PATH')) as $folder) {
            if (is_executable("$folder/docdouble")) {
                return "$folder/docdouble";
            }
        }
        throw new RuntimeException('docdouble is missing: add it to node_modules with npm install, or put it on PATH');
    }
}
