import type { SpokenExample, SpokenLine } from "./spoken-corpus.ts";

type Random = () => number;
type Make = (random: Random) => readonly SpokenLine[];

const between = (random: Random, least: number, most: number) => least + Math.floor(random() * (most - least + 1));
const pick = (random: Random, items: readonly string[]) => items[between(random, 0, items.length - 1)] as string;
const two = (value: number) => String(value).padStart(2, "0");

const agent = (text: string): SpokenLine => ({ side: "agent", text });
const customer = (text: string): SpokenLine => ({ side: "customer", text });

const months = "January February March April May June July August September October November December".split(" ");
const mois = "janvier février mars avril mai juin juillet août septembre octobre novembre décembre".split(" ");
const units = "one two three four five six seven eight nine".split(" ");
const tens = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");
const unites = "un deux trois quatre cinq six sept huit neuf".split(" ");
const dizaines = "vingt trente quarante cinquante soixante".split(" ");

const day = (random: Random) => between(random, 1, 28);
const birthYear = (random: Random) => between(random, 1940, 2004);
const recentYear = (random: Random) => between(random, 2019, 2026);
const pair = (random: Random) => `${pick(random, tens)} ${pick(random, units)}`;
const paire = (random: Random) => `${pick(random, dizaines)}-${pick(random, unites.slice(1))}`;
const numeric = (random: Random, sign: string) =>
  `${two(day(random))}${sign}${two(between(random, 1, 12))}${sign}${birthYear(random)}`;
const pounds = (random: Random) => `£${between(random, 1, 9)},${between(random, 100, 999)}.${between(random, 10, 99)}`;
const euros = (random: Random) => `${between(random, 10, 999)},${between(random, 10, 99)} €`;

/** What quality forms ask for: was the customer identified, the amount named, the date confirmed? */
const english: readonly Make[] = [
  (r) => [
    agent("can I take your date of birth"),
    customer(`${day(r)}th of ${pick(r, months)} ${birthYear(r)}`),
    agent("One moment"),
  ],
  (r) => [
    agent("and your date of birth please"),
    customer(`the ${pick(r, ["first", "fifth", "twelfth"])} of ${pick(r, months)} nineteen ${pair(r)}`),
  ],
  (r) => [agent("date of birth"), customer(`${numeric(r, "/")} and that is right`)],
  (r) => [agent("your date of birth please"), customer(`it's ${numeric(r, " ")}`), agent("thank you, that matches")],
  (r) => [agent("I just need to check who I am speaking to, when were you born"), customer(numeric(r, "-"))],
  (r) => [
    agent("for security could you confirm the first line of your address and the postcode"),
    customer(`${between(r, 1, 199)} Mill Lane, M${between(r, 1, 9)} ${between(r, 1, 9)}QT`),
  ],
  (r) => [
    agent("for security what are the last four digits of your phone number"),
    customer(`${between(r, 1000, 9999)}`),
  ],
  (r) => [
    agent("can you give me your account number"),
    customer(`${between(r, 10_000_000, 99_999_999)}`),
    agent("and your name"),
  ],
  (r) => [agent(`your balance went from ${pounds(r)} to ${pounds(r)}`), customer("that is not what I was told")],
  (r) => [agent(`that comes to ${pounds(r)} including tax`), customer(`and ${pounds(r)} before`)],
  (r) => [agent(`it will be ${pair(r)} pounds ${pair(r)} today and then ${pair(r)} pounds a month`)],
  (r) => [
    customer(`you charged me £${between(r, 10, 99)}.99 in ${pick(r, months)} and £${between(r, 10, 99)}.50 in May`),
  ],
  (r) => [
    agent(
      `your contract runs from ${day(r)} ${pick(r, months)} ${recentYear(r)} to ${day(r)} ${pick(r, months)} ${recentYear(r)}`,
    ),
  ],
  (r) => [agent(`the appointment is on the ${day(r)}th of ${pick(r, months)} at ${between(r, 8, 18)}:30`)],
  (r) => [agent(`we can deliver between ${between(r, 8, 11)} and ${between(r, 12, 18)} on the ${day(r)}th`)],
  (r) => [
    customer(`I have been with you since ${recentYear(r)} and I paid in ${recentYear(r)}, ${recentYear(r)} and 2026`),
  ],
  (r) => [agent(`is it valid until ${pick(r, months)} ${recentYear(r)}`), customer("yes it expires then")],
  (r) => [customer("One moment"), agent(`I will call you back in ${between(r, 10, 45)} minutes, one second please`)],
  (r) => [agent(`your reference is ${between(r, 100_000, 9_999_999)}`), customer("could you say that one again")],
  (r) => [agent(`the meter reading was ${between(r, 10_000, 99_999)} in ${pick(r, months)} ${recentYear(r)}`)],
  (r) => [
    customer(`there were ${between(r, 2, 9)} of us in room ${between(r, 100, 999)} for ${between(r, 2, 9)} nights`),
  ],
];

const french: readonly Make[] = [
  (r) => [
    agent("quelle est votre date de naissance"),
    customer(`le ${day(r)} ${pick(r, mois)} ${birthYear(r)}`),
    agent("un instant"),
  ],
  (r) => [
    agent("et votre date de naissance s'il vous plaît"),
    customer(`le douze ${pick(r, mois)} mille neuf cent ${paire(r)}`),
  ],
  (r) => [agent("date de naissance"), customer(`${numeric(r, "/")} voilà`)],
  (r) => [agent("vous êtes né quand"), customer(numeric(r, " ")), agent("merci, c'est bon")],
  (r) => [
    agent("pour la sécurité pouvez-vous confirmer votre adresse et le code postal"),
    customer(`${between(r, 1, 199)} rue du Moulin ${between(r, 10_000, 95_999)} Paris`),
  ],
  (r) => [agent(`le solde est passé de ${euros(r)} à ${euros(r)}`), customer("ce n'est pas ce qu'on m'a dit")],
  (r) => [agent(`cela fait ${paire(r)} euros ${paire(r)} aujourd'hui puis ${paire(r)} euros par mois`)],
  (r) => [customer(`vous m'avez prélevé ${euros(r)} en ${pick(r, mois)} et ${euros(r)} en mai`)],
  (r) => [
    agent(
      `le contrat va du ${day(r)} ${pick(r, mois)} ${recentYear(r)} au ${day(r)} ${pick(r, mois)} ${recentYear(r)}`,
    ),
  ],
  (r) => [agent(`le rendez-vous est le ${day(r)} ${pick(r, mois)} à ${between(r, 8, 18)}h30`)],
  (r) => [agent(`nous livrons entre ${between(r, 8, 11)} et ${between(r, 12, 18)} heures le ${day(r)}`)],
  (r) => [customer(`je suis client depuis ${recentYear(r)} et j'ai payé en ${recentYear(r)} et en ${recentYear(r)}`)],
  (r) => [agent(`elle est valable jusqu'en ${pick(r, mois)} ${recentYear(r)}`), customer("oui une minute")],
  (r) => [agent(`votre dossier est le ${between(r, 100_000, 9_999_999)}`), customer("une seconde je note")],
  (r) => [agent(`le relevé du compteur était de ${between(r, 10_000, 99_999)} en ${pick(r, mois)} ${recentYear(r)}`)],
  (r) => [
    customer(`nous étions ${between(r, 2, 9)} dans la chambre ${between(r, 100, 999)} pour ${between(r, 2, 9)} nuits`),
  ],
];

/** Dates, amounts and identity checks. */
export function makeEvidence(random: Random, index: number): SpokenExample {
  const language = index % 2 === 0 ? "en" : "fr";
  const makes = language === "en" ? english : french;
  const style = Math.floor(index / 2) % makes.length;
  return { language, style: `evidence ${style + 1}`, card: "", lines: makes[style]?.(random) ?? [] };
}
