import type { Database } from "@tillgate/database";
import { expect } from "vitest";

/** A statement as it was sent to the database. */
export type Statement = { text: string; values: unknown[] };

/** Notes every statement of connections opened from now on; to get them all, call it before the first. */
export function noteStatements({ pool }: Database): Statement[] {
  const noted: Statement[] = [];
  pool.on("connect", (client) => {
    const query = client.query.bind(client);
    Reflect.set(client, "query", (...sent: Parameters<typeof query>) => {
      const [first, values]: unknown[] = sent;
      const text = typeof first === "string" ? first : Reflect.get(Object(first), "text");
      const bound = typeof first === "string" ? values : Reflect.get(Object(first), "values");
      if (typeof text === "string") noted.push({ text, values: Array.isArray(bound) ? bound : [] });
      return query(...sent);
    });
  });
  return noted;
}

type Plan = { "Node Type": string; "Relation Name"?: string; "Index Name"?: string; Plans?: Plan[] };

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

/** How the database would run a statement: its steps, with the table and index that each reads. */
export async function stepsOf({ pool }: Database, { text, values }: Statement): Promise<Plan[]> {
  const { rows } = await pool.query<{ "QUERY PLAN": { Plan: Plan }[] }>(
    `EXPLAIN (FORMAT JSON) ${text}`,
    values,
  );
  const [explained] = rows[0]?.["QUERY PLAN"] ?? [];
  if (!explained) throw new Error(`no plan for ${text}`);
  return nodesOf(explained.Plan);
}

/** No statement reads one of these tables from end to end. @returns the indexes that are used, and every step. */
export async function expectIndexed(
  database: Database,
  statements: Statement[],
  tables: string[],
): Promise<{ indexes: Set<string>; steps: Plan[] }> {
  const steps: Plan[] = [];
  for (const statement of statements) {
    if (!/^\s*(SELECT|WITH|INSERT|UPDATE|DELETE)/i.test(statement.text)) continue;
    for (const step of await stepsOf(database, statement)) {
      steps.push(step);
      const table = step["Relation Name"];
      if (table !== undefined && tables.includes(table))
        expect(step["Node Type"], `${table} in ${statement.text}`).not.toBe("Seq Scan");
    }
  }
  return { indexes: new Set(steps.flatMap((step) => step["Index Name"] ?? [])), steps };
}
