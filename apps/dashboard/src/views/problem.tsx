import type { ReactNode } from "react";
import { PASSING_PROBLEMS, type Problem } from "../page/page";
import { Frame } from "./frame";
import { usePage } from "./use-page";

/** A page that cannot be shown, and what to do about it. */
export function ProblemView({ problem }: { problem: Problem }): ReactNode {
  const { page, t } = usePage();
  const again = problem === "forged" || PASSING_PROBLEMS.includes(problem);
  return (
    <Frame title={t(`problem.${problem}.title`)} narrow>
      <div className="card" data-testid={`problem-${problem}`}>
        <p>{t(`problem.${problem}.text`)}</p>
        <p>
          <a className="button main" href={again ? page.path : "/"}>
            {t(again ? "problem.again" : "problem.home")}
          </a>
        </p>
      </div>
    </Frame>
  );
}
