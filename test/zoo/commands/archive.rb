# An archive of signed contracts. It saves the PDF of each, and checks what it got.
require "json"
require "net/http"

HOST = URI(ENV.fetch("DOCDOUBLE_URL"))
KEY = ENV.fetch("DOCDOUBLE_API_KEY")
GAP = ARGV[0]
ENDS = %w[document.completed document.declined document.voided document.error].freeze

class Refused < StandardError
  attr_reader :code, :asked

  def initialize(answer)
    super("the service answered #{answer.code}")
    @code = answer.code.to_i
    @asked = answer["retry-after"].to_f
  end
end

BROKEN = [IOError, SystemCallError, Timeout::Error, Net::HTTPBadResponse, Net::ProtocolError, JSON::ParserError, OpenSSL::SSL::SSLError].freeze

def once(request)
  request["authorization"] = "API-Key #{KEY}"
  answer = Net::HTTP.start(HOST.host, HOST.port, use_ssl: HOST.scheme == "https", open_timeout: 10, read_timeout: 10, max_retries: 0) do |http|
    http.request(request)
  end
  raise Refused, answer if answer.code.to_i >= 300

  answer
end

# Repeats what may pass. The block finds out whether a call without an answer took effect.
def call(method, path, body = nil)
  (1..8).each do |tries|
    request = Net::HTTP.const_get(method.capitalize).new("/public/v1#{path}")
    if body
      request.body = JSON.generate(body)
      request["content-type"] = "application/json"
    end
    asked = 0
    begin
      answer = once(request)
      return answer unless answer["content-type"].to_s.include?("json")

      return JSON.parse(answer.body)
    rescue Refused => e
      raise unless [409, 423, 429].include?(e.code) || e.code >= 500

      asked = e.asked
      unsure = e.code >= 500
    rescue *BROKEN
      unsure = true
    end
    raise "no success after #{tries} tries" if tries == 8

    sleep [asked, 2**tries].max
    found = yield if unsure && block_given?
    return found if found
  end
end

def create
  signer = { email: "pat+sign.after=20s@client.example", first_name: "Pat", last_name: "Lee", role: "Client" }
  body = { name: "Archive", template_uuid: "TemplateOneSignerxxxxx", recipients: [signer], metadata: { order: "archive-1" } }
  call("post", "/documents", body) { call("get", "/documents?metadata=metadata_order=archive-1")["results"].first }["id"]
end

def until_one_of(id, wanted, looks)
  status = nil
  looks.times do
    status = call("get", "/documents/#{id}")["status"]
    return status if wanted.include?(status)

    sleep 3
  end
  status
end

def save(id)
  20.times do
    answer = call("get", "/documents/#{id}/download")
    if answer.is_a?(Net::HTTPAccepted) && GAP != "empty"
      sleep [answer["retry-after"].to_f, 3].max
      next
    end
    bytes = answer.body.to_s
    raise "no PDF" unless GAP == "empty" || bytes.start_with?("%PDF-")
    # Ruby reports no error when the connection breaks within a body.
    next if GAP != "empty" && bytes.bytesize < answer["content-length"].to_i

    return File.binwrite(File::NULL, bytes)
  end
end

begin
  id = create
  status = until_one_of(id, ["document.draft", *ENDS], 40)
  if status == "document.draft"
    call("post", "/documents/#{id}/send", { silent: true }) do
      call("get", "/documents/#{id}")["status"] == "document.draft" ? nil : {}
    end
    status = until_one_of(id, ENDS, 60)
  end
  save(id) if status == "document.completed"
  puts JSON.generate(id: id, status: status)
rescue Refused => e
  raise unless e.code == 404

  puts JSON.generate(id: id, status: "deleted")
end
