<?php
// An example. Replace sendOffer with your client: give it $this->url and $this->key. Run it with: phpunit tests
require_once __DIR__ . '/DocdoubleTestCase.php';

final class DocdoubleExampleTest extends DocdoubleTestCase
{
    public function testAnOfferIsSent(): void
    {
        [$status, $path] = $this->sendOffer();
        $this->assertSame(200, $status);
        $this->assertSame('document.sent', $this->call('GET', $path)[1]['status']);
    }

    private function sendOffer(): array
    {
        $recipient = ['email' => 'pat@client.example', 'first_name' => 'Pat', 'last_name' => 'Lee', 'role' => 'Client'];
        $offer = ['name' => 'Offer', 'template_uuid' => 'TemplateOneSignerxxxxx', 'recipients' => [$recipient]];
        [, $document] = $this->call('POST', '/public/v1/documents', $offer);
        $path = "/public/v1/documents/{$document['id']}";
        while ($this->call('GET', $path)[1]['status'] === 'document.uploaded') {
            sleep(1); // docdouble moves its clock while you wait
        }
        return [$this->call('POST', "$path/send", ['silent' => true])[0], $path];
    }
}
