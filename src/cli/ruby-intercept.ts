/** What Ruby loads first for `--intercept`: each TCP connection to a host of the service goes to docdouble, also without a proxy. */
export const rubyIntercept = (port: number): string => String.raw`# Calls of this program to hosts of the service reach docdouble.
require "socket"

module Docdouble
  HERE = ["127.0.0.1", ${port}].freeze

  def self.led(host, port)
    host.to_s.downcase.delete_suffix(".").match?(/(\A|\.)pandadoc\.com\z/) ? HERE : [host, port]
  end

  module LedSocket
    def initialize(host = nil, port = nil, *rest, **options)
      super(*Docdouble.led(host, port), *rest, **options)
    end
  end

  module LedTcp
    def tcp(host, port, *rest, **options, &block)
      super(*Docdouble.led(host, port), *rest, **options, &block)
    end
  end
end

TCPSocket.prepend(Docdouble::LedSocket)
Socket.singleton_class.prepend(Docdouble::LedTcp)
`;
