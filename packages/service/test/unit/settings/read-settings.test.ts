import { describe, expect, it } from "vitest";
import { z } from "zod";
import {
  baseAddress,
  either,
  hostNames,
  longText,
  origin,
  readSettings,
  rulesFor,
  SettingsError,
  type SettingsTable,
  wholeNumber,
} from "../../../src/settings/index.js";

const table = {
  port: { name: "PORT", kind: wholeNumber(1, 65_535), default: 4000 },
  production: {
    name: "MODE",
    kind: either("production", "development"),
    default: "development",
  },
  address: { name: "ADDRESS", kind: baseAddress },
  password: {
    name: "PASSWORD",
    kind: longText(8, 20),
    ifUnset: "nobody signs in",
    secret: true,
  },
  hosts: { name: "HOSTS", kind: hostNames, default: "" },
} satisfies SettingsTable;
const rule = rulesFor(table);
const rules = [
  rule(
    ["address", "production"],
    ({ address, production }) => production && !address.startsWith("https:") && "must be https",
  ),
  rule(
    ["password", "production"],
    ({ password, production }) => production && password === undefined && "is required in production",
  ),
];

const errors = (environment: Record<string, string>): string[] => {
  try {
    readSettings(table, environment, rules);
  } catch (error) {
    if (error instanceof SettingsError) return error.message.split("\n");
    throw error;
  }
  return [];
};

describe("readSettings", () => {
  it("applies defaults to missing or empty settings, and leaves optional settings undefined", () => {
    expect(readSettings(table, { ADDRESS: "http://a.example/x/", PORT: "", HOSTS: "A.example, b" })).toEqual({
      port: 4000,
      production: false,
      address: "http://a.example/x",
      password: undefined,
      hosts: ["a.example", "b"],
    });
  });

  it("reports all invalid settings together, without their values", () => {
    expect(errors({ MODE: "production", PORT: "0x10", ADDRESS: "http://a.example" })).toEqual([
      "PORT: must be a whole number from 1 to 65535",
      "ADDRESS: must be https",
      "PASSWORD: is required in production",
    ]);
    expect(errors({ MODE: "production", PASSWORD: "hunter2" })).toEqual([
      "ADDRESS: is required",
      "PASSWORD: must be at least 8 characters",
    ]);
  });

  it("reports the position of an error inside a setting", () => {
    const list = {
      schema: z
        .string()
        .transform((text): unknown => JSON.parse(text))
        .pipe(z.array(z.int())),
      limit: "JSON",
    };
    expect(() => readSettings({ list: { name: "LIST", kind: list } }, { LIST: '[1,"x"]' })).toThrow(
      /^LIST \(1\): Invalid input/,
    );
  });

  it.each([
    "https://a.example/path",
    "https://user@a.example",
    "https://a.example?x",
    "https://a.example/#x",
    "a.example",
  ])("rejects %s as an origin", (address) => {
    expect(origin.schema.safeParse(address).success).toBe(false);
  });
});
