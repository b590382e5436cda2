import { PARTNER_API_PATHS, PAY_API_PATH } from "@tillgate/contract";
import type { JsonObject, OpenApiDocument } from "@tillgate/contract/openapi";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect } from "vitest";
import { z } from "zod";
import type { Answer } from "../../support/requests.js";

const exampleSchema = z.object({
  message: z.object({ error: z.array(z.string()).optional(), success: z.array(z.string()).optional() }),
  errors: z.record(z.string(), z.array(z.string())).optional(),
  error_code: z.string().optional(),
  param: z.string().optional(),
});

const responseSchema = z.object({
  headers: z.record(z.string(), z.unknown()),
  content: z.object({
    "application/json": z.object({
      schema: z.object({ $ref: z.string() }),
      examples: z.record(z.string(), z.object({ value: exampleSchema })),
    }),
  }),
});

const operationSchema = z.object({
  operationId: z.string(),
  security: z.array(z.record(z.string(), z.array(z.string()))),
  responses: z.record(z.string(), responseSchema),
});

const pathSchema = z.object({
  get: operationSchema.optional(),
  post: operationSchema.optional(),
});

/** One operation as the document describes it, read back from the document alone. */
export type DescribedOperation = {
  id: string;
  method: "get" | "post";
  path: string;
  /** The base paths that it is served under. */
  servers: string[];
  /** The security scheme, or null. */
  security: string | null;
  responses: Map<number, z.infer<typeof responseSchema>>;
};

const BASE_PATHS = [...Object.values(PAY_API_PATH), ...PARTNER_API_PATHS];

/** A whole path of the document as its base path and what is under it. */
function splitPath(path: string): { base: string; under: string } {
  const base = BASE_PATHS.find((candidate) => path.startsWith(`${candidate}/`));
  if (base === undefined) throw new Error(`${path} is under no base path of an API`);
  return { base, under: path.slice(base.length) };
}

const idUnder = (id: string): string => id.replace(/(InSandbox|UnderShortPath)$/, "");

/** The operations of the document; one that is served under two base paths is one. */
export function describedOperations(document: OpenApiDocument): DescribedOperation[] {
  const operations = new Map<string, DescribedOperation>();
  for (const [path, item] of Object.entries(document.paths)) {
    const { base, under } = splitPath(path);
    const { get, post } = pathSchema.parse(item);
    for (const [method, operation] of Object.entries({ get, post })) {
      if (operation === undefined) continue;
      const id = idUnder(operation.operationId);
      const responses = new Map(
        Object.entries(operation.responses).map(([status, response]) => [Number(status), response]),
      );
      const known = operations.get(id);
      if (known) {
        expect({ id, under, responses }).toEqual({ id, under: known.path, responses: known.responses });
        known.servers.push(base);
        continue;
      }
      operations.set(id, {
        id,
        method: z.enum(["get", "post"]).parse(method),
        path: under,
        servers: [base],
        security: Object.keys(operation.security[0] ?? {})[0] ?? null,
        responses,
      });
    }
  }
  return [...operations.values()];
}

/** The schemas with no field let through that they do not name: an answer must not say more than the document. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== "object" || schema === null) return schema;
  const inner = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]));
  return "properties" in inner ? { additionalProperties: false, ...inner } : inner;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const DOCUMENT = "https://api.example.test/openapi.json";

/** Headers that say something about the API, and not only about HTTP. */
const TOLD_HEADERS = /^(x-request-id|idempotent-.*|ratelimit-.*|retry-after|www-authenticate)$/;

/** A text with currencies and request ids left open: the document can only show one of them. */
const open = (text: string): string =>
  text
    // Whatever was sent as a currency comes back.
    .replace(/(for currency: ).*$/is, "$1…")
    .replace(/(currency )(?:[A-Z]{3,10}\b|.*(?= is not authorized))/is, "$1…")
    .replace(/req_[0-9a-f]{32}/, "req_…")
    .replace(/(live|sandbox) key/, "… key");

export type AnswerCheck = {
  /** Holds an answer against the document; every difference fails the test that got it. */
  check(operation: DescribedOperation, answer: Answer): void;
  /** What was answered so far: `operation status text`. */
  answered: Set<string>;
};

/** Every text of every status of every operation, as {@link AnswerCheck} notes it. */
export const describedTexts = (operations: DescribedOperation[]): string[] =>
  operations.flatMap(({ id, responses }) =>
    [...responses].flatMap(([status, { content }]) =>
      Object.values(content["application/json"].examples).flatMap(({ value }) =>
        textsOf(value).map((text) => `${id} ${status} ${text}`),
      ),
    ),
  );

/** Every error code that the document shows. */
export const describedCodes = (operations: DescribedOperation[]): string[] =>
  operations.flatMap(({ responses }) =>
    [...responses.values()].flatMap(({ content }) =>
      Object.values(content["application/json"].examples).flatMap(({ value }) => value.error_code ?? []),
    ),
  );

function textsOf({ message, errors }: z.infer<typeof exampleSchema>): string[] {
  if (errors) return Object.values(errors).flat().map(open);
  return [...(message.error ?? []), ...(message.success ?? [])].map(open);
}

export function checkAnswers(document: OpenApiDocument): AnswerCheck {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  ajv.addFormat("uuid", UUID);
  ajv.addFormat("date-time", { validate: (text: string) => !Number.isNaN(Date.parse(text)) });
  ajv.addFormat("date", /^\d{4}-\d\d-\d\d$/);
  ajv.addSchema({ $id: DOCUMENT, components: closed(document.components) });
  const answered = new Set<string>();
  return {
    answered,
    check({ id, responses }, { status, headers, body, text }) {
      const response = responses.get(status);
      if (!response) throw new Error(`${id} answered ${status}, which is not described: ${text}`);
      expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
      const { schema, examples } = response.content["application/json"];
      const validate = ajv.getSchema(`${DOCUMENT}${schema.$ref}`);
      if (!validate) throw new Error(`${schema.$ref} is not in the document`);
      expect({ id, status, valid: validate(body), errors: validate.errors, body }).toMatchObject({
        valid: true,
      });
      const described = Object.keys(response.headers).map((name) => name.toLowerCase());
      const told = [...headers.keys()].filter((name) => TOLD_HEADERS.test(name));
      expect(described).toEqual(expect.arrayContaining(told));
      expect(told).toContain("x-request-id");
      if (status === 401) expect(told).toContain("www-authenticate");
      if (status === 429 || status === 503) expect(told).toContain("retry-after");
      for (const [name, header] of Object.entries(document.components.headers)) {
        const value = headers.get(name);
        if (value !== null)
          expect([name, value]).toEqual([name, expect.stringMatching(headerPattern(header))]);
      }
      const example = exampleSchema.parse(body);
      const texts = textsOf(example);
      // Every rule of every field has its own sentence; the document shows some of them.
      if (!example.errors)
        expect(Object.values(examples).flatMap(({ value }) => textsOf(value))).toEqual(
          expect.arrayContaining(texts),
        );
      // The document shows each text with its code and field, and the answer has the same.
      const shown = Object.values(examples).filter(({ value }) =>
        textsOf(value).some((one) => texts.includes(one)),
      );
      if (example.error_code !== undefined) expect(example.error_code).toMatch(/^[a-z]+(_[a-z]+)*$/);
      if (!example.errors && shown.length > 0)
        expect(shown.map(({ value }) => [value.error_code, value.param])).toContainEqual([
          example.error_code,
          example.param,
        ]);
      for (const told of texts) answered.add(`${id} ${status} ${told}`);
    },
  };
}

function headerPattern({ schema }: JsonObject): RegExp {
  const {
    type,
    pattern,
    const: only,
  } = z
    .object({ type: z.string(), pattern: z.string().optional(), const: z.string().optional() })
    .parse(schema);
  if (only !== undefined) return new RegExp(`^${only}$`);
  return new RegExp(pattern ?? (type === "integer" ? "^\\d+$" : "."));
}
