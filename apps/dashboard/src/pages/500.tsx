import type { ReactNode } from "react";
import { StaticProblem } from "#views/problem.tsx";

/** Next's own 500 ships its whole runtime; this one ships none. */
export const config = { unstable_runtimeJS: false };

export default function FailedPage(): ReactNode {
  return <StaticProblem problem="failed" />;
}
