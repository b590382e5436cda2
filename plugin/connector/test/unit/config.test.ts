import { describe, expect, it } from "vitest";
import { ConfigError, readConfig } from "../../src/config.js";

const store = {
  id: "demo",
  url: "http://localhost:4003/",
  consumer_key: "ck_1",
  consumer_secret: "cs_very_secret",
  client_id: "ci_1",
  client_secret: "client_very_secret",
  mode: "sandbox",
  return_url: "http://localhost:4003/checkout/return?order={order_id}&key={order_key}",
};
const environment = (changes: Record<string, string | undefined> = {}) => ({
  CONNECTOR_DATABASE_URL: "postgresql://tillgate_connector:pw@127.0.0.1:4005/tillgate_connector",
  CONNECTOR_URL: "http://localhost:4004/",
  TILLGATE_API_URL: "http://localhost:4000",
  CONNECTOR_STORES: JSON.stringify([store]),
  ...changes,
});

describe("settings", () => {
  it("have their defaults", () => {
    expect(readConfig(environment())).toMatchObject({
      HOST: "127.0.0.1",
      PORT: 4004,
      CONNECTOR_URL: "http://localhost:4004",
      CONNECTOR_SWEEP_SECONDS: 120,
      CONNECTOR_STORES: [
        { id: "demo", url: "http://localhost:4003", expires_in: 900, payment_method: "tillgate" },
      ],
    });
  });

  it.each([
    [{ CONNECTOR_DATABASE_URL: undefined }, /^CONNECTOR_DATABASE_URL is required/],
    [{ CONNECTOR_URL: "localhost" }, /^CONNECTOR_URL must be an absolute/],
    [{ PORT: "x" }, /^PORT must be/],
    [{ CONNECTOR_SWEEP_SECONDS: "600" }, /^CONNECTOR_SWEEP_SECONDS must not be greater/],
    [{ CONNECTOR_STORES: "{" }, /^CONNECTOR_STORES must be a JSON array/],
    [{ CONNECTOR_STORES: "[]" }, /^CONNECTOR_STORES must name at least one store/],
    [{ CONNECTOR_STORES: JSON.stringify([store, store]) }, /twice/],
    [
      { CONNECTOR_STORES: JSON.stringify([{ ...store, return_url: "http://a.test/" }]) },
      /0\.return_url.*order_id/,
    ],
    [{ CONNECTOR_STORES: JSON.stringify([{ ...store, mode: "test" }]) }, /0\.mode/],
    [{ CONNECTOR_STORES: JSON.stringify([{ ...store, expires_in: 5 }]) }, /0\.expires_in/],
  ])("that can not be used stop the start with one line that names them: %j", (changes, text) => {
    expect(() => readConfig(environment(changes))).toThrow(ConfigError);
    expect(() => readConfig(environment(changes))).toThrow(text);
  });

  it("are never repeated in the line", () => {
    const stores = JSON.stringify([{ ...store, url: "cs_very_secret" }]);
    expect(() => readConfig(environment({ CONNECTOR_STORES: stores }))).not.toThrow(/very_secret/);
  });
});
