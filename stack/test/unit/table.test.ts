import { describe, expect, it } from "vitest";
import type { Sandbox } from "../../src/sandbox.js";
import { describeStack } from "../../src/table.js";

const merchant = { name: "Harbour", client_id: "id-1", client_secret: "secret-1", api_token: "token-1" };
const sandbox: Sandbox = {
  api: "http://localhost:4000",
  pay: "http://localhost:4001",
  dashboard: "http://localhost:4002",
  mail_folder: "/data/mails",
  store: "http://localhost:4003",
  connector: "http://localhost:4004",
  database_url: "postgresql://tillgate:database-password@127.0.0.1:4005/tillgate",
  merchant,
  other_merchant: { ...merchant, name: "Café" },
  shoppers: [
    {
      name: "Ana",
      phone: "+33612345678",
      email: "ana@example.com",
      pin: "314159",
      currencies: ["EUR", "XAF"],
      active: true,
    },
    {
      name: "Ivo",
      phone: "+420601123456",
      email: "ivo@example.com",
      pin: "271828",
      currencies: ["EUR"],
      active: false,
    },
  ],
  administrator: { email: "a@example.com", password: "admin-password" },
  second_administrator: { email: "second@example.com", password: "second-password" },
  merchant_user: { email: "m@example.com", password: "user-password" },
  store_keys: { consumer_key: "ck_1", consumer_secret: "cs_1" },
  store_owner: { password: "owner-password" },
  connector_health: { address: "http://localhost:4004/health/demo", key: "health-key" },
};

describe("the table printed at start", () => {
  const text = describeStack({ sandbox, dataDirectory: "/data", publicHost: undefined });

  it("lists every URL and every shopper's credentials", () => {
    for (const value of [
      sandbox.api,
      sandbox.pay,
      sandbox.dashboard,
      sandbox.store,
      sandbox.connector,
      sandbox.connector_health.address,
      sandbox.connector_health.key,
      "127.0.0.1:4005/tillgate",
    ]) {
      expect(text).toContain(value);
    }
    expect(text).toMatch(/Ana\s+\+33612345678\s+ana@example\.com\s+314159\s+EUR, XAF/);
    expect(text).toMatch(/Ivo \(deactivated\)\s+\+420601123456\s+ivo@example\.com\s+271828\s+EUR/);
    expect(text).toContain("/data/sandbox.json");
  });

  it("omits the database's password", () => {
    expect(text).not.toContain("database-password");
  });

  it("lists the console's credentials and where e-mails are written", () => {
    expect(text).toMatch(/Administrator\s+a@example\.com\s+admin-password/);
    expect(text).toMatch(/Administrator\s+second@example\.com\s+second-password/);
    expect(text).toMatch(/Merchant user\s+m@example\.com\s+user-password/);
    expect(text).toContain(sandbox.mail_folder);
  });

  it("warns in one line if the sandbox is reachable from the network", () => {
    const publicText = describeStack({ sandbox, dataDirectory: "/data", publicHost: "192.168.1.9" });
    expect(publicText.split("\n").filter((line) => line.startsWith("Warning:"))).toHaveLength(1);
    expect(text).not.toContain("Warning:");
  });
});
