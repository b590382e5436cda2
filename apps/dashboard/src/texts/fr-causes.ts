import type { enCauses } from "./en-causes";

/** The same in French. */
export const frCauses: Record<keyof typeof enCauses, string> = {
  "cause.dns":
    "Le nom d’hôte ne se résout pas. Est-il bien écrit, et son enregistrement DNS existe-t-il encore ?",
  "cause.tls":
    "Pas de connexion sécurisée : le certificat est-il valide, complet et fait pour ce nom d’hôte ?",
  "cause.timeout":
    "Le récepteur ne répond pas à temps. Répondez 2xx d’abord, et faites le travail lent ensuite.",
  "cause.redirect":
    "Le récepteur redirige, ce qui n’est pas suivi. Saisissez l’adresse vers laquelle il redirige.",
  "cause.refused_address":
    "L’adresse n’est pas sur l’internet public, ou n’en est pas une où ce mode envoie (production : https, ports 80 et 443 ; bac à sable : ports 80, 443 et à partir de 1024).",
  "cause.html_response":
    "Une page web a répondu à la place du récepteur de webhooks : page de maintenance, connexion ou autre site. L’événement n’a pas été livré et sera renvoyé.",
  "cause.connection":
    "Pas de connexion, ou elle s’est interrompue : le serveur fonctionne-t-il, et son pare-feu nous laisse-t-il entrer ?",
  "cause.no_key": "Il ne reste aucun secret client actif pour signer. Créez une clé.",
  "cause.status_400": "Le récepteur refuse le corps. Attend-il le JSON de ces événements ?",
  "cause.status_401":
    "Le récepteur refuse notre signature : le secret est-il l’actuel, et le corps brut est-il vérifié ?",
  "cause.status_403":
    "Le récepteur nous refuse : le secret est-il l’actuel, et un pare-feu ou une connexion se trouve-t-il devant ?",
  "cause.status_404":
    "Il n’y a rien à cette adresse : le chemin est-il juste, et l’extension ou la route est-elle active ?",
  "cause.status_405": "L’adresse n’accepte pas POST : le chemin est-il juste ?",
  "cause.status_410": "Le récepteur dit qu’il a disparu pour de bon.",
  "cause.status_413": "Le récepteur trouve le corps trop grand : sa limite est inférieure à quelques Kio.",
  "cause.status_415": "Le récepteur n’accepte pas application/json.",
  "cause.status_429":
    "Le récepteur a trop de requêtes. Il devrait répondre aux webhooks sans limite de débit, ou avec une plus haute.",
  "cause.server_error": "Le récepteur a une erreur à lui ({status}) : son journal en dit plus.",
  "cause.other_status": "Le récepteur répond {status} au lieu de 2xx.",
  "cause.no_status": "Le récepteur répond autre chose que 2xx.",
  "cause.web_page":
    "Il répond par une page web : l’adresse est peut-être celle d’un site et non d’un récepteur de webhooks.",
};
