import type { Context } from "../../context.js";

/** Who may administer, by e-mail. */
export const listAdministrators = ({
  database: { prisma },
}: Context): Promise<{ id: string; email: string; createdAt: Date }[]> =>
  prisma.consoleUser.findMany({
    where: { role: "administrator" },
    select: { id: true, email: true, createdAt: true },
    orderBy: { email: "asc" },
  });
