import { connect } from "node:net";
import { errorEnvelopeSchema } from "@tillgate/contract";
import { expect, it } from "vitest";
import { createTestApi } from "../../support/test-api.js";

const { server } = await createTestApi();

/** Sends raw bytes. @returns everything received until the connection closes */
const exchange = (bytes: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(server.port, "127.0.0.1", () => socket.write(bytes));
    let response = "";
    socket.setEncoding("utf8");
    socket.on("data", (text) => {
      response += text;
    });
    socket.on("end", () => resolve(response));
    socket.on("error", reject);
  });

it.each([
  ["a request that is not HTTP", "HELLO\r\n\r\n", 400, "Malformed request"],
  [
    "a header line without a name",
    "GET / HTTP/1.1\r\nHost: localhost\r\n: x\r\n\r\n",
    400,
    "Malformed request",
  ],
  [
    "headers of 20 KB",
    `GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: ${"x".repeat(20_000)}\r\n\r\n`,
    431,
    "The request's headers are too large",
  ],
])("%s gets the error envelope and a request ID", async (_what, bytes, status, text) => {
  const response = await exchange(bytes);
  expect(response).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  expect(response).toMatch(/X-Request-Id: req_[0-9a-f]{32}/);
  const envelope = errorEnvelopeSchema.parse(JSON.parse(response.slice(response.indexOf("\r\n\r\n") + 4)));
  expect(envelope.message).toEqual({ code: status, error: [text] });
});

it.each([
  ["without Host", "GET /pay/sandbox/api/v1/orders HTTP/1.1", "", 400, "missing_host"],
  ["to the Partner API without Host", "GET /api/partner/v1/balance HTTP/1.1", "", 400, "missing_host"],
  [
    "with an unknown expectation",
    "POST /pay/sandbox/api/v1/orders HTTP/1.1",
    "Host: localhost\r\nExpect: the-impossible\r\nContent-Length: 0\r\n",
    417,
    "unknown_expectation",
  ],
])("a request %s gets the error envelope and a request ID", async (_what, line, headers, status, code) => {
  const response = await exchange(`${line}\r\n${headers}Connection: close\r\n\r\n`);
  expect(response).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  expect(response).toMatch(/X-Request-Id: req_[0-9a-f]{32}/);
  const body = response.slice(response.indexOf("{"), response.lastIndexOf("}") + 1);
  expect(errorEnvelopeSchema.parse(JSON.parse(body))).toMatchObject({
    error_code: code,
    message: { code: status },
  });
});
