import Head from "next/head";
import type { ReactNode } from "react";
import { type Problem, TEMPORARY_PROBLEMS } from "#server/page.ts";
import { LANGUAGE_NAMES, languageSchema } from "#texts/languages.ts";
import { type TextKey, translator } from "#texts/texts.ts";
import { Frame } from "./frame";
import { usePage } from "./use-page";

export function ProblemView({ problem }: { problem: Problem }): ReactNode {
  const { page, t } = usePage();
  const { href, text } = nextStep(problem, page.path);
  return (
    <Frame title={t(`problem.${problem}.title`)} narrow>
      <div className="card" data-testid={`problem-${problem}`}>
        <p>{t(`problem.${problem}.text`)}</p>
        <p>
          <a className="button main" href={href}>
            {t(text)}
          </a>
        </p>
      </div>
    </Frame>
  );
}

const LINK_PAGES: Readonly<Record<string, { href: string; text: TextKey }>> = {
  "/reset-password": { href: "/forgot-password", text: "forgot.button" },
  "/new-account": { href: "/sign-up", text: "signUp.button" },
};

function nextStep(problem: Problem, path: string): { href: string; text: TextKey } {
  if (problem === "csrf" || problem === "form_too_large" || TEMPORARY_PROBLEMS.includes(problem))
    return { href: path, text: "problem.again" };
  if (problem === "in_sandbox")
    return { href: path.replace("/live/", "/sandbox/"), text: "problem.in_sandbox.open" };
  if (problem === "in_live")
    return { href: path.replace("/sandbox/", "/live/"), text: "problem.in_live.open" };
  const asks = problem === "link_over" ? LINK_PAGES[path.split("?")[0] ?? ""] : undefined;
  return asks ?? { href: "/", text: "problem.home" };
}

/** Renders an error page outside a request. The user's language is unknown there, so the text is shown in every language. */
export function StaticProblem({ problem }: { problem: Problem }): ReactNode {
  return (
    <div className="app">
      <Head>
        <title>{`${translator("en")(`problem.${problem}.title`)} · Tillgate`}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
      </Head>
      <main id="main" className="narrow">
        {languageSchema.options.map((language) => {
          const t = translator(language);
          return (
            <section key={language} className="card" lang={language} aria-label={LANGUAGE_NAMES[language]}>
              <h1>{t(`problem.${problem}.title`)}</h1>
              <p>{t(`problem.${problem}.text`)}</p>
              <p>
                <a className="button main" href="/">
                  {t("problem.home")}
                </a>
              </p>
            </section>
          );
        })}
      </main>
    </div>
  );
}
