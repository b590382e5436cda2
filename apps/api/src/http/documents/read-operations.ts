import { openApiDocument } from "@tillgate/contract/openapi";
import { z } from "zod";

const named = z.object({ summary: z.string().optional(), value: z.unknown() });
const content = z.object({
  "application/json": z
    .object({
      schema: z.object({ $ref: z.string() }).partial().optional(),
      examples: z.record(z.string(), named).optional(),
    })
    .optional(),
});
const operationSchema = z.object({
  operationId: z.string(),
  tags: z.array(z.string()).nonempty(),
  summary: z.string(),
  description: z.string().default(""),
  security: z.array(z.record(z.string(), z.unknown())).default([]),
  parameters: z.array(z.record(z.string(), z.unknown())).default([]),
  requestBody: z.object({ content }).optional(),
  responses: z.record(z.string(), z.object({ description: z.string(), content: content.optional() })),
});
const parameterSchema = z.object({
  name: z.string(),
  in: z.string(),
  required: z.boolean().default(false),
  description: z.string().default(""),
  example: z.string().optional(),
});
const bodySchema = z.object({
  properties: z.record(z.string(), z.object({ description: z.string().default("") })).default({}),
  required: z.array(z.string()).default([]),
});

/** A parameter, or a field of a body. */
export type Field = {
  name: string;
  place: string;
  required: boolean;
  description: string;
  example?: string | undefined;
};
export type Answer = { status: string; description: string; example: string | null };
export type Operation = {
  /** In the address of its page: one name for both modes. */
  id: string;
  /** Where the page for trying calls shows it. */
  anchor: string;
  /** Every method and address it has: one a mode, or a short path beside. */
  addresses: string[];
  summary: string;
  description: string;
  /** Null for an event and for what needs no credentials. */
  proof: string | null;
  fields: Field[];
  example: string | null;
  answers: Answer[];
};
export type OperationGroup = { name: string; operations: Operation[] };

const { components, paths, webhooks, info } = openApiDocument();
export const DESCRIPTION = z.object({ description: z.string() }).parse(info).description;

const nameOf = (reference: unknown): string => z.string().parse(reference).split("/").at(-1) ?? "";

/** The first example of a body, as it is written. */
const exampleOf = (body: z.output<typeof content> | undefined): string | null => {
  const [first] = Object.values(body?.["application/json"]?.examples ?? {});
  return first === undefined ? null : JSON.stringify(first.value, null, 2);
};

function fieldsOf({ parameters, requestBody }: z.output<typeof operationSchema>): Field[] {
  const described = parameters.map((one) => {
    const found = "$ref" in one ? components.parameters[nameOf(one.$ref)] : one;
    const { in: place, ...rest } = parameterSchema.parse(found);
    return { place, ...rest };
  });
  const reference = requestBody?.content["application/json"]?.schema?.$ref;
  if (reference === undefined) return described;
  const { properties, required } = bodySchema.parse(components.schemas[nameOf(reference)]);
  const body = Object.entries(properties).map(([name, { description }]) => ({
    name,
    place: "body",
    required: required.includes(name),
    description,
  }));
  return [...described, ...body];
}

function read(address: string, described: unknown): Operation & { tag: string } {
  const operation = operationSchema.parse(described);
  const { operationId: id, summary, description, security, requestBody, responses, tags } = operation;
  const [tag = ""] = tags;
  return {
    id: id.replace(/InSandbox$/, ""),
    anchor: `#${id}`,
    tag: tag.split(" (")[0] ?? tag,
    addresses: [address],
    summary,
    description,
    proof: Object.keys(security[0] ?? {})[0] ?? null,
    fields: fieldsOf(operation),
    example: exampleOf(requestBody?.content),
    answers: Object.entries(responses).map(([status, answer]) => ({
      status,
      description: answer.description,
      example: exampleOf(answer.content),
    })),
  };
}

/** All operations and events of the document by their subject. What is served at several addresses stands once, with each of them. */
export function operationGroups(): OperationGroup[] {
  const every = [
    ...Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, one]) => read(`${method.toUpperCase()} ${path}`, one)),
    ),
    ...Object.entries(webhooks).map(([event, one]) =>
      read(event, z.object({ post: z.unknown() }).parse(one).post),
    ),
  ];
  const groups = new Map<string, Operation[]>();
  for (const { tag, ...operation } of every) {
    const group = groups.get(tag) ?? [];
    groups.set(tag, group);
    const same = group.find(({ summary }) => tag !== "Events" && summary === operation.summary);
    if (same) same.addresses.push(...operation.addresses);
    else group.push(operation);
  }
  return [...groups].map(([name, operations]) => ({ name, operations }));
}
