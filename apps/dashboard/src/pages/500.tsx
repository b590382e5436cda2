import type { ReactNode } from "react";
import { StaticProblem } from "#views/problem.tsx";

/** Overrides Next's own page, which ships its runtime. */
export const config = { unstable_runtimeJS: false };

export default function FailedPage(): ReactNode {
  return <StaticProblem problem="failed" />;
}
