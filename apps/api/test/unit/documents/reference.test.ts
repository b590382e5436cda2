import { describe, expect, it } from "vitest";
import { renderPage, renderResults } from "../../../src/http/documents/layout.js";
import { renderOperation } from "../../../src/http/documents/operation-page.js";
import { readOperationGroups } from "../../../src/http/documents/read-operations.js";
import { describeType, listFields } from "../../../src/http/documents/schema-fields.js";

const operations = readOperationGroups().flatMap(({ operations: some }) => some);
const none = () => ({});

describe("API reference", () => {
  it("names every parameter and response field of every operation, and gives each a specific type", () => {
    for (const operation of operations) {
      const page = renderOperation(operation);
      for (const { name, type } of [
        ...operation.fields,
        ...operation.responses.flatMap(({ fields }) => fields),
      ]) {
        expect(type, `${operation.id} ${name}`).not.toMatch(/any value|\[object|at most 0 /);
        expect(page).toContain(`\`${name}\``);
      }
    }
  });

  it("lets a path wrap only before a slash, but not before the first slash", () => {
    const page = { path: "/docs", title: "", about: "GET /a/{b}/c", group: "", markdown: "`GET /a/{b}/c`" };
    const broken = "GET /a<wbr>/{b}<wbr>/c";
    expect(renderPage(page)).toContain(`<code>${broken}</code>`);
    expect(renderResults("a", [page])).toContain(`<br>${broken}</li>`);
  });

  it("shows ranges, defaults, lengths and values as the OpenAPI document states them", () => {
    const page = (id: string) =>
      renderOperation(operations.find((item) => item.id === id) ?? expect.fail(id));
    const create = page("createOrder");
    expect(create).toContain(
      "| `expires_in` | body | integer, 60 to 3600; null or empty counts as omitted, default `300` |",
    );
    expect(create).toContain(
      "| `payment_method` | body | `qr_only`, `payment_page`, `both`; null or empty counts as omitted, default `both` |",
    );
    expect(create).toContain("| `reference` | body | string, at most 255 characters");
    expect(create).toContain("| `data.paid_at` | string (date-time) or null |");
    const list = page("listOrders");
    expect(list).toContain("| `per_page` | query | integer, 1 to 100, default `20` |");
    expect(list).toContain("| `data.orders[].order_id` | string,");
  });
});

describe("schema description", () => {
  it.each([
    [{ type: "integer", minimum: 1 }, "integer, 1 or more"],
    [{ type: "string", minLength: 2, maxLength: 2 }, "string, 2 characters"],
    [{ type: ["string", "null"] }, "string or null"],
    [{ anyOf: [{ type: "string", format: "date" }, { type: "null" }] }, "string (date) or null"],
    [{ enum: ["a", "b", null] }, "`a`, `b` or null"],
    [{ type: "array", maxItems: 3, items: { type: "number" } }, "array of number, at most 3 items"],
    [{ type: "object", additionalProperties: { type: "string" } }, "object of string"],
  ])("describes %j as %s", (schema, words) => {
    expect(describeType(schema, none)).toBe(words);
  });

  it("lists the fields of objects, of array items, and of nullable objects", () => {
    const inner = { type: "object", properties: { b: { type: "string" } } };
    const schema = {
      properties: {
        one: inner,
        many: { type: "array", items: inner },
        maybe: { anyOf: [inner, { type: "null" }] },
      },
    };
    expect(listFields(schema, none).map(({ name, type }) => `${name}: ${type}`)).toEqual([
      ...["one: object", "one.b: string", "many: array of objects", "many[].b: string"],
      ...["maybe: object or null", "maybe.b: string"],
    ]);
  });
});
