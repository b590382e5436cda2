import type { ReactNode } from "react";
import { StaticProblem } from "#views/problem.tsx";

/** This page replaces Next's own, which would load Next's runtime. */
export const config = { unstable_runtimeJS: false };

export default function FailedPage(): ReactNode {
  return <StaticProblem problem="failed" />;
}
