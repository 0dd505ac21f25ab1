# An example. Replace `send_offer` with your client: give it `docdouble.url` and `docdouble.key`. Run it with: rspec
require_relative "docdouble_helper"

RSpec.describe "an offer", :docdouble do
  def send_offer
    recipient = { email: "pat@client.example", first_name: "Pat", last_name: "Lee", role: "Client" }
    offer = { name: "Offer", template_uuid: "TemplateOneSignerxxxxx", recipients: [recipient] }
    _, document = docdouble.call("POST", "/public/v1/documents", offer)
    path = "/public/v1/documents/#{document["id"]}"
    # docdouble moves its clock while you wait.
    sleep 1 while docdouble.call("GET", path)[1]["status"] == "document.uploaded"
    [docdouble.call("POST", "#{path}/send", { silent: true })[0], path]
  end

  it "is sent" do
    status, path = send_offer
    expect(status).to eq(200)
    expect(docdouble.call("GET", path)[1]["status"]).to eq("document.sent")
  end
end
