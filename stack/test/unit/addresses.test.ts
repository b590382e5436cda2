import { describe, expect, it } from "vitest";
import { toAddresses } from "../../src/addresses.js";
import { assignPorts } from "../../src/ports.js";

describe("addresses", () => {
  it("are on loopback unless a public host is set", () => {
    const { listenHost, public: urls } = toAddresses(assignPorts(4000), undefined);
    expect(listenHost).toBe("127.0.0.1");
    expect(urls).toEqual({
      api: "http://localhost:4000",
      pay: "http://localhost:4001",
      dashboard: "http://localhost:4002",
      store: "http://localhost:4003",
      connector: "http://localhost:4004",
    });
  });

  it("use the public host for browsers and loopback between services", () => {
    const { listenHost, public: urls, internal } = toAddresses(assignPorts(5000), "192.168.1.9");
    expect(listenHost).toBe("0.0.0.0");
    expect(urls.pay).toBe("http://192.168.1.9:5001");
    expect(internal.api).toBe("http://127.0.0.1:5000");
  });
});
