import type { PageRequest } from "./request";

/** The token of the mailed link that leads to the page, as the console edge asks for it. */
export const linkToken = (query: PageRequest["query"]): { token: string } => ({
  token: query("token") ?? "",
});
