import { openApiDocument } from "@tillgate/contract/openapi";
import { describe, expect, it } from "vitest";
import { curlLine, getReference } from "../../src/server/reference";

const filled = { base: "https://api.example", clientId: "tg_test_1", secret: "tgs_test_'x" };
const linesOf = (mode: "sandbox" | "live") =>
  Object.fromEntries(
    getReference(mode).flatMap(({ operations }) =>
      operations.map((one) => [one.summary, curlLine(one, filled)]),
    ),
  );

describe("API reference", () => {
  it("contains every public operation once, in its mode", () => {
    const shown = (["sandbox", "live"] as const).map((mode) =>
      getReference(mode).flatMap(({ operations }) => operations.map(({ id }) => id)),
    );
    const all = Object.values(openApiDocument().paths).flatMap((methods) => Object.keys(methods));
    expect(shown.flat()).toHaveLength(all.length);
    expect(new Set(shown.flat()).size).toBe(all.length);
    expect(shown[0]).toContain("createOrderInSandbox");
    expect(shown[1]).toContain("createOrder");
  });

  it("renders curl commands with quoted values, placeholders and credentials", () => {
    const {
      "Create an order": create,
      "Get an order": get,
      "Create an access token": token,
    } = linesOf("sandbox");
    expect(create).toMatch(/^curl -X POST 'https:\/\/api\.example\/pay\/sandbox\/api\/v1\/orders' \\\n/);
    expect(create).toContain(`-u 'tg_test_1:tgs_test_'\\''x'`);
    expect(create).toContain(`"currency": "EUR"`);
    expect(get).toContain("/orders/ORDER_ID'");
    expect(token).toContain(`"client_id": "tg_test_1"`);
    expect(token).not.toContain("-u ");
    expect(linesOf("live")["List wallet balances"]).toContain("Authorization: Bearer API_TOKEN");
  });
});
