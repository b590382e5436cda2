import { connect, type Socket } from "node:net";
import { errorEnvelopeSchema, MAX_BODY_BYTES } from "@tillgate/contract";
import { afterEach, expect, it } from "vitest";
import { createTestApi } from "../../support/test-api.js";
import { waitUntil } from "../../support/wait-until.js";

const sockets: Socket[] = [];

const { server } = await createTestApi();
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

/** Starts a request, sends the given part of its body, and waits for the response. */
async function startRequest(header: string, sent: string) {
  const socket = connect(server.port, "127.0.0.1");
  sockets.push(socket);
  const received = { text: "", closed: false };
  socket.on("data", (bytes) => {
    received.text += bytes.toString();
  });
  socket.on("error", () => undefined);
  socket.on("close", () => {
    received.closed = true;
  });
  const head = [
    "POST /pay/sandbox/api/v1/orders HTTP/1.1",
    "Host: localhost",
    "Content-Type: application/json",
  ];
  socket.write(`${[...head, header].join("\r\n")}\r\n\r\n${sent}`);
  await waitUntil("a response arrives", () => received.text.includes("}"));
  return { socket, received };
}

const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;

it.each([
  ["a body with a Content-Length above the limit", `Content-Length: ${MAX_BODY_BYTES + 1}`, "{"],
  ["a body with a Content-Length of a gigabyte", "Content-Length: 1000000000", ""],
  ["a chunked body above the limit", "Transfer-Encoding: chunked", chunk("a".repeat(MAX_BODY_BYTES + 1))],
])("%s is rejected before it is fully received, and the connection is closed", async (_, header, sent) => {
  const { received } = await startRequest(header, sent);
  const [head = "", body = ""] = received.text.split("\r\n\r\n");
  expect(head).toMatch(/^HTTP\/1\.1 413 /);
  expect(head).toMatch(/^connection: close$/im);
  expect(head).toMatch(/^x-request-id: req_[0-9a-f]{32}$/im);
  expect(errorEnvelopeSchema.parse(JSON.parse(body))).toEqual({
    message: { code: 413, error: ["The body is larger than 64 KiB"] },
    data: [],
    type: "error",
    error_code: "body_too_large",
  });
  await waitUntil("the connection is closed", () => received.closed);
});

it("a client that keeps sending after a 413 is disconnected", async () => {
  const { socket, received } = await startRequest(
    "Transfer-Encoding: chunked",
    chunk("a".repeat(MAX_BODY_BYTES + 1)),
  );
  const keepSending = () => {
    if (!received.closed) socket.write(chunk("a".repeat(100_000)), () => setImmediate(keepSending));
  };
  keepSending();
  await waitUntil("the connection is closed", () => received.closed);
  expect(received.text).toMatch(/^HTTP\/1\.1 413 /);
});

it("a chunked body exactly at the limit is not rejected as too large", async () => {
  const { received } = await startRequest(
    "Transfer-Encoding: chunked",
    `${chunk(`"${"a".repeat(MAX_BODY_BYTES - 2)}"`)}0\r\n\r\n`,
  );
  expect(received.text).toMatch(/^HTTP\/1\.1 401 /);
});
