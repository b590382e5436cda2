/**
 * A row for each item of a set, out of a statement's first arguments: one array for each column. The arrays come through
 * sub-selects, so that the planner does not count their elements: to it a set of one costs what a set of 64 costs, and
 * PostgreSQL keeps one plan for the statement's name. Otherwise it plans again at every call, which took six times as long
 * as the read of a checkout itself.
 * @param types of the elements, `uuid` for `uuid[]`, in the order of the arguments.
 */
export const unnestArguments = (types: readonly string[]): string =>
  `unnest(${types.map((type, at) => `(SELECT $${at + 1}::${type}[])`).join(", ")})`;
