<?php
// An invoice for signature. Sends it, and notes that it was sent.
$url = getenv('DOCDOUBLE_URL') . '/public/v1';
$key = getenv('DOCDOUBLE_API_KEY');
$gap = $argv[1] ?? null;

class Refused extends RuntimeException {}

function once(string $method, string $path, ?array $body): array {
    global $url, $key;
    $http = [
        'method' => $method,
        'timeout' => 3,
        'ignore_errors' => true,
        'header' => ["Authorization: API-Key $key", 'Content-Type: application/json'],
        'content' => $body === null ? '' : json_encode($body),
    ];
    $text = @file_get_contents($url . $path, false, stream_context_create(['http' => $http]));
    if ($text === false) return [0, null, 0];
    preg_match('{ (\d+)}', $http_response_header[0], $found);
    $after = 0;
    $length = null;
    foreach ($http_response_header as $line) {
        if (preg_match('{^retry-after: *(\d+)}i', $line, $one)) $after = (int) $one[1];
        if (preg_match('{^content-length: *(\d+)}i', $line, $one)) $length = (int) $one[1];
    }
    $answer = json_decode($text, true);
    if ((int) $found[1] < 300 && ($answer === null && $text !== '' || $length !== null && $length > strlen($text))) return [0, null, 0];
    return [(int) $found[1], $answer, $after];
}

function call(string $method, string $path, ?array $body = null, ?callable $look = null): array {
    global $gap;
    for ($tries = 1; $tries <= 8; $tries++) {
        [$status, $answer, $after] = once($method, $path, $body);
        if ($status >= 200 && $status < 300) return $answer ?? [];
        if ($status === 409 && $gap === 'conflict') throw new Refused('409', 409);
        if ($status !== 0 && $status < 500 && !in_array($status, [409, 423, 429])) throw new Refused("the service answered $status", $status);
        usleep((int) (1e6 * ($gap === 'hasty' ? 0.2 : max($after, 0.5 * $tries))));
        $found = $look && ($status === 0 || $status >= 500) ? $look() : null;
        if ($found !== null) return $found;
    }
    throw new Refused('no success after eight tries');
}

$signer = ['email' => 'pat@client.example', 'first_name' => 'Pat', 'last_name' => 'Lee', 'role' => 'Client'];
$body = ['name' => 'Invoice', 'template_uuid' => 'TemplateOneSignerxxxxx', 'recipients' => [$signer], 'metadata' => ['order' => 'invoice-1']];
try {
    $id = call('POST', '/documents', $body, fn () => call('GET', '/documents?metadata=metadata_order=invoice-1')['results'][0] ?? null)['id'];
    for ($look = 0; $look < 40; $look++) {
        $status = call('GET', "/documents/$id")['status'];
        if ($status === 'document.draft' || $status === 'document.error') break;
        usleep(300_000);
    }
    if ($status === 'document.draft') {
        call('POST', "/documents/$id/send", ['silent' => true], fn () => call('GET', "/documents/$id")['status'] === 'document.draft' ? null : []);
        $status = call('GET', "/documents/$id")['status'];
    }
    echo json_encode(['id' => $id, 'status' => $status]), "\n";
} catch (Refused $error) {
    if ($error->getCode() !== 404) throw $error;
    echo "{}\n";
}
