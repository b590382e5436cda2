import { type Queryable, type RowReader, rowsOf } from "@tillgate/service";
import type pg from "pg";
import { z } from "zod";
import type { Mode } from "../generated/prisma/enums.js";
import type { RowSchema } from "./rows.js";

/** Argument types of PostgreSQL and their values. A trailing `?` allows null. */
type Passed = {
  text: string;
  uuid: string;
  bigint: bigint;
  int: number;
  "double precision": number;
  numeric: string;
  boolean: boolean;
  bytea: Buffer;
  json: string;
  jsonb: string;
  "timestamp with time zone": Date;
  mode: Mode;
  payment_method: string;
  transfer_kind: string;
  account_kind: string;
  delivery_status: string;
  /** A row as text. */
  pin_counter: string;
};
export type ArgumentType = keyof Passed | `${keyof Passed}?`;
type Argument<Type extends ArgumentType> = Type extends `${infer Plain extends keyof Passed}?`
  ? Passed[Plain] | null
  : Type extends keyof Passed
    ? Passed[Type]
    : never;
export type Arguments<Takes extends Record<string, ArgumentType>> = {
  [Name in keyof Takes]: Argument<Takes[Name]>;
};

/** A function's result: the SELECT around its call, and the parser of a row. */
export type Answers<Answer> = RowReader<Answer> & { select: (call: string) => string };

/** A row. Columns are listed, so that prepared statements survive a new column. */
export const row = <Answer>({ columns, parse }: RowSchema<Answer>): Answers<Answer> => ({
  select: (call) => `SELECT ${columns.join(", ")} FROM ${call}`,
  parse,
});

/** The row created with an idempotency key, by this or an earlier call. */
export const rowOnce = <Answer>(
  schema: RowSchema<Answer>,
): Answers<{ replayed: boolean; result: Answer }> => ({
  select: (call) =>
    `SELECT created.replayed, ${schema.columns.map((column) => `(created.result).${column}`).join(", ")} FROM ${call} AS created`,
  parse: (row) => ({ ...replayedSchema.parse(row), result: schema.parse(row) }),
});
const replayedSchema = z.object({ replayed: z.boolean() });

/** One value, or one per row of a set. */
export const value = <Answer>(schema: z.ZodType<Answer>): Answers<Answer> => {
  const answered = z.object({ answer: schema });
  return {
    select: (call) => `SELECT ${call} AS answer`,
    parse: (row) => answered.parse(row).answer,
  };
};

/** No result. Cast to text, because Prisma cannot read `void`. */
export const nothing: Answers<void> = {
  select: (call) => `SELECT ${call}::text AS answer`,
  parse: () => undefined,
};

/** A SQL function as called from TypeScript. Its SQL is in the file of the same name. */
export type LedgerFunction<Named extends Record<string, unknown>, Answer> = RowReader<Answer> & {
  name: string;
  /** Its arguments by name, in their order in `sql`. */
  takes: Readonly<Record<string, ArgumentType>>;
  sql: string;
  values: (named: Named) => unknown[];
};

/** A SQL function that takes one item or a group. Called as a {@link LedgerFunction}, it takes one. */
export type LedgerGroup<Named extends Record<string, unknown>, Answer> = LedgerFunction<Named, Answer> & {
  /** The arguments of a group: one array each, with one element per item. */
  valuesOfGroup: (items: readonly Named[]) => unknown[];
};

type Definition<Takes extends Record<string, ArgumentType>, Answer> = {
  name: string;
  takes: Takes;
  answers: Answers<Answer>;
};

/**
 * Defines a SQL function's caller.
 * @param takes its arguments without `p_`, in camel case. Amounts are minor units.
 */
export function ledgerFunction<const Takes extends Record<string, ArgumentType>, Answer>(
  definition: Definition<Takes, Answer>,
): LedgerFunction<Arguments<Takes>, Answer> {
  const { name, takes, answers } = definition;
  const names = Object.keys(takes);
  const call = `${name}(${names.map((one, at) => `${parameterOf(one)} => $${at + 1}`).join(", ")})`;
  return {
    name,
    takes,
    sql: answers.select(call),
    values: (named) => names.map((name) => named[name]),
    parse: answers.parse,
  };
}

/** Defines a SQL function with array arguments, one element per item of a group. */
export function ledgerGroup<const Takes extends Record<string, ArgumentType>, Answer>(
  definition: Definition<Takes, Answer>,
): LedgerGroup<Arguments<Takes>, Answer> {
  const called = ledgerFunction(definition);
  const names = Object.keys(definition.takes);
  const valuesOfGroup = (items: readonly Arguments<Takes>[]) =>
    names.map((name) => items.map((item) => item[name]));
  return {
    ...called,
    values: (named) => valuesOfGroup([named]),
    valuesOfGroup,
  };
}

/** `payerAccountId` is `p_payer_account_id`. */
export const parameterOf = (name: string): string =>
  `p_${name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`;

/**
 * Calls a function, which is its own transaction unless one is open.
 * @returns its rows: one, of a function that returns one row.
 */
export const callRows = <Named extends Record<string, unknown>, Answer>(
  connection: Queryable,
  called: LedgerFunction<Named, Answer>,
  named: Named,
): Promise<Answer[]> => rowsOf(connection, called, statement(called, called.values(named)));

/** Named, so prepared once per connection. */
const statement = ({ name, sql }: { name: string; sql: string }, values: unknown[]): pg.QueryConfig => ({
  name,
  text: sql,
  values,
});

/**
 * Calls a function for a group of items, in one transaction.
 * @returns its rows, in any order.
 */
export const callGroup = <Named extends Record<string, unknown>, Answer>(
  connection: Queryable,
  called: LedgerGroup<Named, Answer>,
  items: readonly Named[],
): Promise<Answer[]> => rowsOf(connection, called, statement(called, called.valuesOfGroup(items)));

/** Calls a function that returns one row. */
export async function callOne<Named extends Record<string, unknown>, Answer>(
  connection: Queryable,
  called: LedgerFunction<Named, Answer>,
  named: Named,
): Promise<Answer> {
  const rows = await callRows(connection, called, named);
  if (rows.length !== 1) throw new Error(`${called.name} returned ${rows.length} rows`);
  return rows[0] as Answer;
}

/**
 * Calls a function with one result for each element of a list, in order, in one statement.
 * @param named arguments that JSON can represent.
 */
export function callEach<Named extends Record<string, unknown>, Answer>(
  connection: Queryable,
  called: LedgerFunction<Named, Answer>,
  named: readonly Named[],
): Promise<Answer[]> {
  const typed = Object.entries(called.takes).map(([one, type]) => [one, type.replace("?", "")] as const);
  const parameters = typed.map(([name, type]) => `${parameterOf(name)} => each."${name}"::${type}`);
  // JSON is passed as text, as in a single call.
  const columns = typed.map(([one, type]) => `"${one}" ${type.startsWith("json") ? "text" : type}`);
  return rowsOf(
    connection,
    called,
    `SELECT ${called.name}(${parameters.join(", ")}) AS answer FROM json_to_recordset($1) AS each (${columns.join(", ")})`,
    [JSON.stringify(named)],
  );
}
