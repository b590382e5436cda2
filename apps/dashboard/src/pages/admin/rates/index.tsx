import { consolePage } from "#server/console-page.ts";

export const config = { unstable_runtimeJS: false };

/** Redirects to the sandbox's page; each mode has one. */
export default function RatesPage(): null {
  return null;
}

export const getServerSideProps = consolePage({
  load: async () => ({}),
  redirectTo: () => "/admin/rates/sandbox",
});
