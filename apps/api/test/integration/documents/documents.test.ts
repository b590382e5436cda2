import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import {
  CALLER_ERRORS,
  CHECKOUT_PATH,
  CONNECT_PATH,
  CONSOLE_PATH,
  PARTNER_API_PATHS,
  PAY_API_PATH,
  PAYMENT_ERRORS,
  PAYOUT_ERRORS,
  SANDBOX_ERRORS,
  TEST_RECEIVER_PATH,
} from "@tillgate/contract";
import { openApiDocument } from "@tillgate/contract/openapi";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createApp } from "../../../src/http/app.js";
import { startListener } from "../../../src/platform/listener.js";
import { send } from "../../support/requests.js";
import { createTestApi } from "../../support/test-api.js";
import { describedCodes, describedOperations } from "./documented-responses.js";
import { servedRoutes } from "./served-routes.js";

const operations = describedOperations(openApiDocument());

const { sandbox, server } = await createTestApi();

describe("/openapi.json", () => {
  it("is the contract's document, and can be read from any origin", async () => {
    const { status, headers, body } = await send(`${server.url}/openapi.json`);
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(headers.get("access-control-allow-origin")).toBe("*");
    expect(body).toEqual(openApiDocument());
  });

  it("describes exactly the served routes other than health, documentation, internal APIs, shop connection and test receiver", async () => {
    const listener = startListener({ directUrl: sandbox.url, log: server.context.log });
    const ours = [CHECKOUT_PATH, CONSOLE_PATH, CONNECT_PATH, TEST_RECEIVER_PATH];
    const basePaths = [...ours, ...Object.values(PAY_API_PATH), ...PARTNER_API_PATHS];
    const served = servedRoutes(
      createApp({
        context: server.context,
        listener,
        availability: server.availability,
      }),
      basePaths,
    ).filter(
      (route) =>
        !/^get \/(healthz|readyz|openapi\.json|llms\.txt|docs(\.md|\/.*)?)$/.test(route) &&
        !ours.some((path) => route.includes(path)),
    );
    await listener.close();
    const described = operations.flatMap(({ method, path, servers }) =>
      servers.map((base) => `${method} ${base}${path}`),
    );
    const named = (route: string) => route.replace(/:\w+|\{\w+\}/g, "{}");
    expect(served.map(named).sort()).toEqual(described.map(named).sort());
    expect(described.length).toBeGreaterThan(operations.length);
  });

  it("contains complete paths, so that only the host varies", () => {
    const { paths, servers } = openApiDocument();
    expect(servers).toEqual([{ url: "/", description: expect.any(String) }]);
    const ids = Object.values(paths).flatMap((item) => {
      expect(item).not.toHaveProperty("servers");
      return Object.values(z.record(z.string(), z.object({ operationId: z.string() })).parse(item));
    });
    expect(new Set(ids.map(({ operationId }) => operationId)).size).toBe(ids.length);
    for (const path of ["/api/partner/sandbox/v1/payout", "/api/partner/v1/payout", "/pay/api/v1/refunds"])
      expect(Object.keys(paths)).toContain(path);
  });

  it("documents that null and empty mean omitted, for all optional body fields except a refund's amount and idempotency keys", () => {
    const { schemas } = openApiDocument().components;
    const exceptions = new Set(["CreateRefundRequest.amount"]);
    const requests = Object.entries(schemas).filter(([name]) => name.endsWith("Request"));
    expect(requests.length).toBeGreaterThan(5);
    for (const [name, schema] of requests) {
      const {
        properties,
        required = [],
        anyOf,
      } = z
        .object({
          properties: z.record(z.string(), z.unknown()),
          required: z.array(z.string()).optional(),
          anyOf: z.unknown().optional(),
        })
        .parse(schema);
      for (const [field, described] of Object.entries(properties)) {
        if (required.includes(field) || exceptions.has(`${name}.${field}`)) continue;
        const validate = new Ajv2020({ strict: false }).compile({
          components: { schemas },
          ...z.record(z.string(), z.unknown()).parse(described),
        });
        const key = field === "idempotency_key";
        const payoutKey = key && anyOf !== undefined;
        expect([name, field, validate(null), validate("")]).toEqual([name, field, !payoutKey, !key]);
      }
    }
  });

  it("documents every error that an API caller can get", () => {
    const documentedCodes = new Set(describedCodes(operations));
    const tables = { ...CALLER_ERRORS, ...PAYMENT_ERRORS, ...PAYOUT_ERRORS, ...SANDBOX_ERRORS };
    expect(
      Object.values(tables)
        .map(({ code }) => code)
        .filter((code) => !documentedCodes.has(code)),
    ).toEqual([]);
  });

  it("passes Redocly's recommended rules without an error or a warning", async () => {
    const script = fileURLToPath(new URL("../../../../../scripts/lint-openapi.mjs", import.meta.url));
    const { stderr } = await promisify(execFile)(process.execPath, [script]);
    expect(stderr).toContain("Your API description is valid");
    expect(stderr).not.toMatch(/\d+ (warning|error|problem)/);
  });
});

describe("/docs", () => {
  it("is complete without scripts, and loads less than 100 KB, gzipped", async () => {
    const packed = { headers: { "accept-encoding": "gzip" } };
    const page = await send(`${server.url}/docs`, packed);
    expect(page.text).not.toContain("<script");
    const assets = [...page.text.matchAll(/(?:src|rel="stylesheet" href)="(\/docs\/[^"]+\.\w+)"/g)].map(
      ([, path]) => path,
    );
    expect(assets).toEqual(["/docs/reference.css"]);
    const style = await send(`${server.url}${assets[0]}`, packed);
    const bytes = [page, style].map(({ headers }) => Number(headers.get("content-length")));
    expect(bytes.every((size) => size > 100)).toBe(true);
    expect((bytes[0] ?? 0) + (bytes[1] ?? 0)).toBeLessThan(100_000);
    const shown = new Set(
      [...page.text.replaceAll("<wbr>", "").matchAll(/<code>([A-Z]+ \/[^<]+)<\/code>/g)].map(
        ([, address]) => address,
      ),
    );
    const { paths, webhooks } = openApiDocument();
    for (const [path, methods] of Object.entries(paths))
      for (const method of Object.keys(methods)) expect(shown).toContain(`${method.toUpperCase()} ${path}`);
    for (const event of Object.keys(webhooks)) expect(page.text).toContain(`<code>${event}</code>`);
  });

  it.each([
    ["/docs", 1],
    ["/docs/errors", 1],
    ["/docs/guides/first-payment", 1],
    ["/docs/operations/createOrder", 1],
    ["/docs/search?q=refund", 1],
    ["/docs/try", 4],
  ])(
    "loads nothing from other origins, cannot be framed, and runs no inline script or style: %s",
    async (address, own) => {
      const page = await send(`${server.url}${address}`);
      expect(page.status).toBe(200);
      expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
      const policy = page.headers.get("content-security-policy") ?? "";
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toMatch(/unsafe|https?:|\*/);
      expect(page.text).not.toMatch(/(?:src|href)="https?:\/\//);
      expect(page.text).not.toMatch(/<script(?! src)|<style|style=/);
      const assets = [...page.text.matchAll(/(?:src|rel="stylesheet" href)="(\/docs\/[^"]+\.\w+)"/g)].map(
        ([, path]) => path,
      );
      expect(assets).toHaveLength(own);
      for (const asset of assets) {
        const { status, headers, text } = await send(`${server.url}${asset}`);
        expect([asset, status]).toEqual([asset, 200]);
        expect(headers.get("content-type")).toMatch(
          asset?.endsWith(".css") ? /^text\/css/ : /^text\/javascript/,
        );
        expect(text.length).toBeGreaterThan(100);
      }
    },
  );

  it("serves every page listed in llms.txt as Markdown and HTML, lists every operation there, and has no broken internal links", async () => {
    const llms = await send(`${server.url}/llms.txt`);
    expect(llms.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    const twins = [...llms.text.matchAll(/\]\((\/docs[^)]*\.md)\)/g)].map(([, path]) => path ?? "");
    const ids = new Set(operations.map(({ id }) => id.replace(/InSandbox$/, "")));
    for (const id of ids) expect(twins).toContain(`/docs/operations/${id}.md`);
    const linked = new Set<string>();
    for (const twin of twins) {
      const [markdown, page] = await Promise.all([
        send(`${server.url}${twin}`),
        send(`${server.url}${twin.replace(/\.md$/, "")}`),
      ]);
      expect([twin, markdown.status, page.status]).toEqual([twin, 200, 200]);
      expect(markdown.headers.get("content-type")).toBe("text/markdown; charset=utf-8");
      const [, title = ""] = /^# (.+)$/m.exec(markdown.text) ?? [];
      expect(page.text.replaceAll("&#39;", "'")).toContain(`>${title}</h1>`);
      for (const [, path = ""] of page.text.matchAll(/href="(\/[^"#?]*)/g)) linked.add(path);
    }
    for (const path of linked)
      expect([path, (await send(`${server.url}${path}`)).status]).toEqual([path, 200]);
    expect((await send(`${server.url}/docs/operations/none`)).status).toBe(404);
    expect((await send(`${server.url}/docs/toString`)).status).toBe(404);
  });

  it("shows code in four languages for every operation", async () => {
    for (const { id, path } of operations) {
      const { text } = await send(`${server.url}/docs/operations/${id.replace(/InSandbox$/, "")}.md`);
      for (const fence of ["sh", "ts", "php", "python"])
        expect([id, text]).toEqual([id, expect.stringContaining(`\`\`\`${fence}\n`)]);
      expect(text).toContain(path.replace(/\{.*/, ""));
    }
  });

  it("explains all error codes of the OpenAPI document and no others, with cause and fix", async () => {
    const { text } = await send(`${server.url}/docs/errors.md`);
    const rows = [...text.matchAll(/^\| `([a-z_]+)` \| .+ \| .+ \| .+ \| .+ \|$/gm)].map(([, code]) => code);
    expect(rows.sort()).toEqual([...new Set(describedCodes(operations))].sort());
  });

  it("finds pages with all words of a query, best match first, and reports when nothing matches", async () => {
    const first = async (question: string) => {
      const { text } = await send(`${server.url}/docs/search?${new URLSearchParams({ q: question })}`);
      return /<li><a href="([^"]+)"/.exec(text)?.[1];
    };
    expect(await first("create refund")).toBe("/docs/operations/createRefund");
    expect(await first("first payment")).toBe("/docs/guides/first-payment");
    expect(await first("INSUFFICIENT_BALANCE errors")).toBe("/docs/errors");
    expect(await first("<zebra>")).toBeUndefined();
    for (const address of ["?q=zebra", "?q=%3Czebra%3E", "", "?q=order&q=order"]) {
      const { status, text } = await send(`${server.url}/docs/search${address}`);
      expect([address, status, text.includes("<zebra>")]).toEqual([address, 200, false]);
      expect(text).toContain("Nothing was found.");
    }
  });

  it("compresses the API reference viewer for clients that accept it", async () => {
    const address = `${server.url}/docs/swagger-ui-bundle.js`;
    const packed = await send(address, { headers: { "accept-encoding": "gzip" } });
    const plain = await send(address, { headers: { "accept-encoding": "identity" } });
    expect(packed.headers.get("content-encoding")).toBe("gzip");
    expect(Number(packed.headers.get("content-length"))).toBeLessThan(600_000);
    expect(plain.headers.get("content-encoding")).toBeNull();
    expect(packed.text).toBe(plain.text);
  });
});
