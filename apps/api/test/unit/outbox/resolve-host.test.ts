import { createSocket, type Socket } from "node:dgram";
import { readFile } from "node:fs/promises";
import { afterEach, describe, expect, it } from "vitest";
import { resolveByNameServers } from "../../../src/events/outbox/address-guard.js";

const TYPE_A = 1;

/**
 * Starts a DNS server on loopback. `response` determines the reply to the n-th type A query: IPv4 addresses,
 * a DNS error code, or null for no reply. Each reply repeats the question, with a new header and answer
 * records.
 */
async function nameServer(
  response: (count: number) => string[] | number | null,
): Promise<{ address: string; asked: () => number }> {
  const socket: Socket = createSocket("udp4");
  open.push(socket);
  let callCount = 0;
  socket.on("message", (question, { port, address }) => {
    const type = question.readUInt16BE(question.indexOf(0, 12) + 1);
    if (type === TYPE_A) callCount += 1;
    const text = type === TYPE_A ? response(callCount) : response(callCount) === null ? null : [];
    if (text === null) return;
    const packet = Buffer.from(question.subarray(0, question.indexOf(0, 12) + 5));
    const addresses = typeof text === "number" ? [] : text;
    packet.writeUInt16BE(0x8180 | (typeof text === "number" ? text : 0), 2);
    packet.writeUInt16BE(addresses.length, 6);
    packet.writeUInt32BE(0, 8);
    const records = addresses.map((ip) =>
      Buffer.from([0xc0, 12, 0, TYPE_A, 0, 1, 0, 0, 0, 0, 0, 4, ...ip.split(".").map(Number)]),
    );
    socket.send(Buffer.concat([packet, ...records]), port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
  return { address: `127.0.0.1:${socket.address().port}`, asked: () => callCount };
}

let open: Socket[] = [];
afterEach(() => {
  for (const socket of open) socket.close();
  open = [];
});

describe("resolveHost", () => {
  it("returns every address of a name", async () => {
    const { address } = await nameServer(() => ["192.0.2.1", "192.0.2.2"]);
    expect(await resolveByNameServers([address])("shop.example")).toEqual([
      { address: "192.0.2.1", family: 4 },
      { address: "192.0.2.2", family: 4 },
    ]);
  });

  it("queries the name server on every call, so that no stale address is used", async () => {
    const server = await nameServer((count) => [count === 1 ? "192.0.2.1" : "127.0.0.1"]);
    const resolve = resolveByNameServers([server.address]);
    expect(await resolve("rebinding.example")).toEqual([{ address: "192.0.2.1", family: 4 }]);
    expect(await resolve("rebinding.example")).toEqual([{ address: "127.0.0.1", family: 4 }]);
  });

  it("rejects a name that does not exist", async () => {
    const nameError = 3;
    const { address } = await nameServer(() => nameError);
    await expect(resolveByNameServers([address])("nowhere.example")).rejects.toMatchObject({
      code: "ENOTFOUND",
    });
  });

  it("times out on a silent name server without blocking threads", async () => {
    const { address } = await nameServer(() => null);
    const resolve = resolveByNameServers([address]);
    let over = 0;
    const lost = Array.from({ length: 40 }, () =>
      resolve("silent.example").then(
        () => "answered",
        (error: { code: string }) => {
          over += 1;
          return error.code;
        },
      ),
    );
    // File reads use the same four threads that getaddrinfo would block.
    await Promise.all(Array.from({ length: 8 }, () => readFile(import.meta.filename)));
    expect(over).toBe(0);
    expect(new Set(await Promise.all(lost))).toEqual(new Set(["ETIMEOUT"]));
  });
});
