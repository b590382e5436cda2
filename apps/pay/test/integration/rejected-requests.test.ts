import { connect } from "node:net";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { payableView } from "../fake-api";
import { buildId, formTokenOf, PageServer, textOf, type Visitor } from "../page-server";

const server = await PageServer.shared();
let visitor: Visitor;
let form: { form_token: string };
beforeAll(() => {
  server.api.orders.set("order", payableView("order"));
});
beforeEach(async () => {
  visitor = server.visitor();
  form = { form_token: formTokenOf((await visitor.get("/pay/order")).body) };
  server.api.seen.length = 0;
});

const nothingDone = () => expect(server.api.seen).toEqual([]);

describe("POST of a form", () => {
  it.each([
    ["a foreign origin", { Origin: "https://evil.example" }],
    ["an opaque origin", { Origin: "null" }],
    ["a foreign origin with the page's Referer", { Origin: "https://evil.example", Referer: "REFERER" }],
    ["no Origin and a foreign Referer", { Origin: null, Referer: "https://evil.example/pay/order" }],
    ["neither Origin nor Referer", { Origin: null }],
  ])("is rejected with 403: %s", async (_, headers) => {
    const sent = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [
        name,
        value === "REFERER" ? `${server.origin}/pay/order` : value,
      ]),
    );
    const response = await visitor.post("/pay/order/cancel", form, sent);
    expect(response.status).toBe(403);
    expect(textOf(response.body)).toContain("didn’t come from the payment page");
    nothingDone();
  });

  it("is accepted without an Origin if the Referer is the page's own", async () => {
    const headers = { Origin: null, Referer: `${server.origin}/pay/order` };
    expect((await visitor.post("/pay/order/sandbox-decline", form, headers)).status).toBe(303);
  });

  it.each(["application/json", "text/plain", "multipart/form-data; boundary=x"])(
    "is rejected with 415 if its content type is %s",
    async (type) => {
      const response = await visitor.post("/pay/order/cancel", form, { "Content-Type": type });
      expect(response.status).toBe(415);
      nothingDone();
    },
  );

  it("is rejected with 413 above 16 KB, with or without Content-Length, and the server keeps running", async () => {
    const declared = await visitor.post("/pay/order/cancel", { ...form, more: "x".repeat(16 * 1024) });
    expect(declared.status).toBe(413);
    expect(textOf(declared.body)).toContain("The form was too large, so nothing was changed");
    expect(await chunkedPost(server, 20)).toMatch(/^HTTP\/1\.1 413 /);
    nothingDone();
    expect((await server.request("/healthz")).status).toBe(200);
  });

  it("is accepted up to 16 KB", async () => {
    const available = 16 * 1024 - new URLSearchParams({ ...form, more: "" }).toString().length;
    const response = await visitor.post("/pay/order/sandbox-decline", {
      ...form,
      more: "x".repeat(available),
    });
    expect(response.status).toBe(303);
  });
});

/** Sends a chunked body of this many KB, without Content-Length, and returns the head of the response. */
async function chunkedPost({ origin }: PageServer, kilobytes: number): Promise<string> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    socket.once("error", reject);
    socket.once("data", (data) => {
      resolve(String(data));
      socket.destroy();
    });
    socket.write(
      `POST /pay/order/cancel HTTP/1.1\r\nHost: ${hostname}\r\nOrigin: ${origin}\r\n` +
        "Content-Type: application/x-www-form-urlencoded\r\nTransfer-Encoding: chunked\r\n\r\n",
    );
    for (let count = 0; count < kilobytes; count += 1) socket.write(`400\r\n${"x".repeat(1024)}\r\n`);
    socket.write("0\r\n\r\n");
  });
}

describe("unsupported methods", () => {
  it.each([
    ["POST", "/pay/order", "GET, HEAD"],
    ["PUT", "/pay/order", "GET, HEAD"],
    ["DELETE", "/pay/order", "GET, HEAD"],
    ["GET", "/pay/order/pay", "POST"],
    ["HEAD", "/pay/order/cancel", "POST"],
    ["PUT", "/pay/order/sign-in", "POST"],
    ["POST", "/pay/order/events", "GET"],
    ["POST", "/pay/order/status", "GET, HEAD"],
    ["POST", "/pay/order/qr.svg", "GET, HEAD"],
    ["POST", "/healthz", "GET, HEAD"],
  ])("return 405 with an Allow header: %s %s", async (method, path, allowed) => {
    const response = await server.request(path, { method });
    expect(response.status).toBe(405);
    expect(response.headers.get("allow")?.replace(/\s/g, "")).toContain(allowed.replace(/\s/g, ""));
    nothingDone();
  });
});

describe("framework data routes", () => {
  it("do not expose an order as JSON", async () => {
    const { body } = await server.request("/pay/order");
    expect(body).not.toContain("__NEXT_DATA__");
    for (const path of ["/pay/order.json", "/pay/order/pay.json"]) {
      const response = await server.request(`/_next/data/${buildId()}${path}`);
      expect(response.status).toBe(404);
      expect(response.body).not.toMatch(/Kiosk Nord|form_token/);
    }
  });
});
