import type { enPasskeys } from "./en-passkeys";

/** The same in French. */
export const frPasskeys: Readonly<Record<keyof typeof enPasskeys, string>> = {
  "factor.app": "Application d’authentification",
  "factor.appOn": "Configurée",
  "factor.setUpLink": "En configurer un",
  "factor.recoveryField": "Code de secours",
  "factor.recoveryHint": "L’un des codes conservés lors de la configuration de votre second facteur.",
  "factor.orPasskey": "Laissez vide pour utiliser votre clé d’accès.",
  "factor.turnOffTextPasskeys": "Vos clés d’accès et codes de secours restent.",
  "passkey.title": "Clés d’accès",
  "passkey.why":
    "Votre empreinte, votre visage ou une clé de sécurité au lieu d’un code. Personne ne peut vous la demander par e-mail ou téléphone.",
  "passkey.none": "Pas encore de clé d’accès",
  "passkey.add": "Ajouter une clé d’accès",
  "passkey.manage": "Gérer les clés d’accès",
  "passkey.name": "Nom",
  "passkey.nameHint": "L’endroit où elle est gardée, par exemple « Portable du bureau ».",
  "passkey.create": "Votre navigateur demande maintenant où garder la clé d’accès.",
  "passkey.createButton": "Créer la clé d’accès",
  "passkey.notNow": "Pas maintenant",
  "passkey.use": "Utiliser votre clé d’accès",
  "passkey.or": "Ou avec un code",
  "passkey.needsScript": "Les clés d’accès demandent des scripts, désactivés dans ce navigateur.",
  "passkey.noSupport": "Ce navigateur ne connaît pas les clés d’accès. Utilisez un code.",
  "passkey.notUsed": "Aucune clé d’accès n’a été utilisée. Réessayez ou utilisez un code.",
  "passkey.added": "La clé d’accès est ajoutée.",
  "passkey.firstAdded": "La clé d’accès est ajoutée. Vos autres sessions sont terminées.",
  "passkey.lastUsed": "Dernière utilisation",
  "passkey.remove": "Supprimer",
  "passkey.removeText": "Elle ne permettra plus de se connecter. Vos autres seconds facteurs restent.",
  "passkey.removed": "La clé d’accès est supprimée.",
  "refusal.passkey_refused": "La clé d’accès n’a pas été acceptée. Veuillez réessayer.",
  "refusal.passkeys_not_available":
    "Les clés d’accès ne sont pas encore disponibles ici. Adressez-vous à l’exploitant de Tillgate.",
  "refusal.too_many_passkeys": "Il y a déjà dix clés d’accès. Supprimez-en une d’abord.",
  "refusal.passkey_not_found": "Cette clé d’accès n’existe plus.",
};
