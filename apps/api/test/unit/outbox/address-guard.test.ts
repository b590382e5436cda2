import { createServer } from "node:http";
import type { Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  BlockedAddressError,
  createGuardedConnector,
  isAllowedAddress,
  parseEndpointUrl,
  type Resolve,
  UnresolvedHostError,
} from "../../../src/events/outbox/address-guard.js";

const ALWAYS_REFUSED = [
  ["unspecified", "0.0.0.0"],
  ["this network", "0.1.2.3"],
  ["cloud metadata", "169.254.169.254"],
  ["cloud metadata over IPv6", "fd00:ec2::254"],
  ["cloud metadata over IPv6, another provider", "fd20:ce::254"],
  ["cloud metadata in shared addresses", "100.100.100.200"],
  ["cloud platform at a public address", "168.63.129.16"],
  ["private API address of a cloud", "199.36.153.4"],
  ["last private API address of a cloud", "199.36.153.11"],
  ["cloud services", "161.26.0.10"],
  ["cloud services", "166.11.255.255"],
  ["link-local", "169.254.0.1"],
  ["multicast", "224.0.0.1"],
  ["broadcast", "255.255.255.255"],
  ["reserved", "240.0.0.1"],
  ["documentation", "192.0.2.1"],
  ["documentation", "198.51.100.7"],
  ["documentation", "203.0.113.7"],
  ["benchmarking", "198.18.0.1"],
  ["6to4 relay", "192.88.99.1"],
  ["unspecified IPv6", "::"],
  ["IPv4-mapped", "::ffff:8.8.8.8"],
  ["IPv4-mapped loopback", "::ffff:127.0.0.1"],
  ["IPv4-mapped loopback in hex", "::ffff:7f00:1"],
  ["IPv4-compatible", "::7f00:1"],
  ["IPv4-translated", "::ffff:0:7f00:1"],
  ["NAT64", "64:ff9b::7f00:1"],
  ["local NAT64", "64:ff9b:1::7f00:1"],
  ["6to4", "2002:7f00:1::"],
  ["Teredo", "2001:0:7f00:1::"],
  ["ORCHID", "2001:20::1"],
  ["documentation IPv6", "2001:db8::1"],
  ["newer documentation IPv6", "3fff::1"],
  ["link-local IPv6", "fe80::1"],
  ["deprecated site-local", "fec0::1"],
  ["multicast IPv6", "ff02::1"],
  ["discard", "100::1"],
  ["segment routing", "5f00::1"],
  ["unassigned", "4000::1"],
  ["a zone", "fe80::1%eth0"],
  ["a short form", "127.1"],
  ["a decimal form", "2130706433"],
  ["an octal form", "0177.0.0.1"],
  ["a name", "localhost"],
  ["an empty address", ""],
] as const;

const PRIVATE = [
  ["loopback", "127.0.0.1"],
  ["other loopback", "127.8.9.1"],
  ["private", "10.0.0.1"],
  ["private", "172.16.0.1"],
  ["private", "172.31.255.255"],
  ["private", "192.168.1.1"],
  ["carrier-grade NAT", "100.64.0.1"],
  ["loopback IPv6", "::1"],
  ["unique local", "fc00::1"],
  ["unique local", "fd12:3456::1"],
] as const;

const PUBLIC = [
  "168.63.129.15",
  "168.63.129.17",
  "199.36.153.3",
  "199.36.153.12",
  "166.12.0.0",
  "8.8.8.8",
  "1.1.1.1",
  "172.32.0.1",
  "100.128.0.1",
  "2606:4700::1111",
  "2a00:1450:4001::1",
];

describe("address guard", () => {
  it.each(ALWAYS_REFUSED)("rejects %s %s, even if private addresses are allowed", (_what, address) => {
    expect(isAllowedAddress(address, false)).toBe(false);
    expect(isAllowedAddress(address, true)).toBe(false);
  });
  it.each(PRIVATE)("rejects %s %s unless private addresses are allowed", (_what, address) => {
    expect(isAllowedAddress(address, false)).toBe(false);
    expect(isAllowedAddress(address, true)).toBe(true);
  });
  it.each(PUBLIC)("allows global unicast %s", (address) => {
    expect(isAllowedAddress(address, false)).toBe(true);
  });
});

describe("webhook URL", () => {
  const read = (address: string, mode: "sandbox" | "live" = "sandbox", privateAllowed = false) =>
    parseEndpointUrl({ address, mode, privateAllowed });

  it.each([
    "http://2130706433/",
    "http://0x7f000001/",
    "http://0177.0.0.1/",
    "http://127.1/",
    "http://127.0.0.1./",
    "http://0/",
    "http://[::1]/",
    "http://[::ffff:127.0.0.1]/",
    "http://[0:0:0:0:0:ffff:7f00:1]/",
    "http://①②⑦.0.0.1/",
    "http://169.254.169.254/latest/meta-data/",
    "http://user:password@example.com/",
    "http://user@example.com/",
    "ftp://example.com/",
    "file:///etc/passwd",
    "javascript:alert(1)",
    "//example.com/",
    "example.com",
    "",
  ])("is rejected: %j", (address) => {
    expect(() => read(address)).toThrow(BlockedAddressError);
  });

  it("requires https on port 80 or 443 in live mode; the sandbox also allows http and ports from 1024", () => {
    expect(read("http://example.com:8080/hook?a=b").port).toBe("8080");
    for (const port of ["80", "443", "1024", "65535"])
      expect(read(`http://example.com:${port}/`).hostname).toBe("example.com");
    for (const port of ["1", "22", "25", "1023"])
      expect(() => read(`http://example.com:${port}/`)).toThrow(BlockedAddressError);
    for (const good of ["https://example.com/", "https://example.com:443/", "https://example.com:80/"])
      expect(read(good, "live").hostname).toBe("example.com");
    for (const bad of ["http://example.com/", "https://example.com:8443/", "https://example.com:22/"])
      expect(() => read(bad, "live", true)).toThrow(BlockedAddressError);
  });
});

describe("guarded connection", () => {
  let connections = 0;
  const server = createServer();
  let port = "";
  beforeAll(async () => {
    server.on("connection", () => {
      connections += 1;
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const bound = server.address();
    if (bound === null || typeof bound === "string") throw new Error("the server has no port");
    port = String(bound.port);
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  const connect = (hostname: string, resolve: Resolve, privateAllowed: boolean): Promise<Socket> =>
    new Promise((done, failed) => {
      createGuardedConnector({ privateAllowed, timeoutMs: 2_000, resolve })(
        { hostname, host: hostname, protocol: "http:", port },
        (...[error, socket]) => (error === null ? done(socket) : failed(error)),
      );
    });
  const answering =
    (...addresses: string[]): Resolve =>
    async () =>
      addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));

  it("rejects a private IP literal, a name that resolves to a private address, and a name with one private address among public ones", async () => {
    const before = connections;
    const never: Resolve = () => Promise.reject(new Error("an IP literal must not be resolved"));
    await expect(connect("127.0.0.1", never, false)).rejects.toThrow(BlockedAddressError);
    await expect(connect("[::1]", never, false)).rejects.toThrow(BlockedAddressError);
    await expect(connect("rebound.example", answering("127.0.0.1"), false)).rejects.toThrow(
      BlockedAddressError,
    );
    await expect(connect("mixed.example", answering("8.8.8.8", "127.0.0.1"), false)).rejects.toThrow(
      BlockedAddressError,
    );
    expect(connections).toBe(before);
  });

  it("resolves a name once per connection and connects to the checked address", async () => {
    let callCount = 0;
    const rebinding: Resolve = async () => {
      callCount += 1;
      return [{ address: callCount === 1 ? "127.0.0.1" : "169.254.169.254", family: 4 }];
    };
    const socket = await connect("shop.example", rebinding, true);
    expect(socket.remoteAddress).toBe("127.0.0.1");
    expect(callCount).toBe(1);
    socket.destroy();
    await expect(connect("shop.example", rebinding, true)).rejects.toThrow(BlockedAddressError);
  });

  it("reports a name without an address as unresolved, not as blocked", async () => {
    await expect(connect("nowhere.example", answering(), true)).rejects.toThrow(UnresolvedHostError);
    const broken: Resolve = () => Promise.reject(Object.assign(new Error("no"), { code: "ENOTFOUND" }));
    await expect(connect("nowhere.example", broken, true)).rejects.toThrow(UnresolvedHostError);
  });
});
