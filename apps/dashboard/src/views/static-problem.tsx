import Head from "next/head";
import type { ReactNode } from "react";
import type { Problem } from "../page/page";
import { LANGUAGE_NAMES, languageSchema } from "../texts/languages";
import { translator } from "../texts/texts";

/** A page that is drawn without a request: nobody knows its reader's language, so it speaks all of them. */
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
