import type { ReactNode } from "react";
import { StaticProblem } from "#views/problem.tsx";

/** Next's own 404 ships its whole runtime; this one ships none. */
export const config = { unstable_runtimeJS: false };

export default function NotFoundPage(): ReactNode {
  return <StaticProblem problem="not_found" />;
}
