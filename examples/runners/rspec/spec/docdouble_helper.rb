# Tests against docdouble: one server for all examples, and one tenant for each example.
#
#   require_relative "docdouble_helper"
#   RSpec.describe "offers", :docdouble do
#     it("sends") { MyClient.new(docdouble.url, docdouble.key).send_offer }
#   end
require "json"
require "net/http"
require "open3"
require "securerandom"

# `url` and `key` are for the client under test. The key selects a tenant of this example alone.
class Docdouble
  attr_reader :url, :key

  # Attaches to DOCDOUBLE_URL, as under `docdouble run`. Otherwise starts a server that ends with this process.
  def self.server
    @server ||= ENV["DOCDOUBLE_URL"].to_s.empty? ? start : ENV["DOCDOUBLE_URL"].chomp("/")
  end

  # `docdouble explore` sets it, and `run` with a scenario or a file to write, because these concern one key only.
  def self.one_world?
    !ENV["DOCDOUBLE_ONE_WORLD"].to_s.empty?
  end

  def self.start
    arguments = %w[start --port 0 --clock auto --seed 1 --log silent --stop-with-input]
    @input, output, @process = Open3.popen2(command, *arguments)
    line = output.gets.to_s
    raise "docdouble did not start: #{line}" unless line.include?(" on ")

    at_exit { stop }
    line.split(" on ")[1].strip
  end

  def self.stop
    @input.close
    @process.join
  end

  # docdouble of the project, of a folder above, or on PATH.
  def self.command
    folder = __dir__
    until folder == File.dirname(folder)
      found = File.join(folder, "node_modules", ".bin", "docdouble")
      return found if File.executable?(found)

      folder = File.dirname(folder)
    end
    return "docdouble" if ENV["PATH"].split(File::PATH_SEPARATOR).any? { |one| File.executable?(File.join(one, "docdouble")) }

    raise "docdouble is missing: add it to node_modules with npm install, or put it on PATH"
  end

  def initialize
    @url = Docdouble.server
    @key = Docdouble.one_world? ? ENV["DOCDOUBLE_API_KEY"] : "test-#{SecureRandom.hex(8)}"
  end

  # Returns the status and the body, also of a refusal.
  def call(method, path, body = nil)
    uri = URI(url + path)
    request = Net::HTTPGenericRequest.new(method, !body.nil?, true, uri)
    request["Authorization"] = "API-Key #{key}"
    request["Content-Type"] = "application/json"
    request.body = body.is_a?(String) ? body : body.to_json if body
    answer = Net::HTTP.start(uri.host, uri.port) { |http| http.request(request) }
    [answer.code.to_i, answer.body.to_s.empty? ? nil : JSON.parse(answer.body)]
  end

  # The test goes on in a world that `run --save-world` wrote. Its calls do not count as calls of the test.
  def load_world(file)
    status, answer = call("PUT", "/__admin/world", File.binread(file))
    raise "#{file}: #{answer["detail"]}" unless status == 200

    call("DELETE", "/__admin/requests")
  end

  # One line for each call of the example, oldest first.
  def what_happened
    lines = call("GET", "/__admin/requests")[1]["requests"].reverse.map do |one|
      why = one["why"] ? " (#{one["why"]})" : ""
      "#{one["request"]["method"]} #{one["request"]["url"]} -> #{one["response"]["status"] || "no answer"}#{why}"
    end
    lines.empty? ? "no call" : lines.join("\n")
  end

  # Calls of unknown paths, and mistakes that the service accepts.
  def problems
    unmatched = call("GET", "/__admin/requests/unmatched")[1]["requests"]
    findings = call("GET", "/__admin/contract")[1]["findings"]
    unmatched.map { |one| "unknown path: #{one["method"]} #{one["url"]}" } +
      findings.map { |one| "#{one["kind"]}: #{one["message"]} #{one["fix"]}" }
  end

  def close
    call("DELETE", "/__admin/tenants/#{key}")
  end
end

RSpec.shared_context "docdouble" do
  let(:docdouble) { @docdouble }

  around do |example|
    @docdouble = Docdouble.new
    example.run
    next if Docdouble.one_world?

    story = @docdouble.what_happened
    problems = @docdouble.problems
    @docdouble.close
    if example.exception
      example.exception.message << "\n\nWhat happened:\n#{story}" unless example.exception.message.frozen?
    elsif problems.any?
      raise "docdouble found mistakes:\n#{problems.join("\n")}\n\nWhat happened:\n#{story}"
    end
  end
end

RSpec.configure { |config| config.include_context "docdouble", :docdouble }
