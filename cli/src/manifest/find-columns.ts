import { type Defect, quote } from "./finding-codes.ts";
import type { Field } from "./mapping.ts";
import { listed, normalizeName } from "./template.ts";

/** Known column names in English and French exports, normalized by `normalizeName`. */
const synonyms: Readonly<Record<Field | "email", readonly string[]>> = {
  file: words(`file filename file_name file_path filepath path recording recording_file recording_filename recording_name
    recording_path record_file record_name audio audio_file audio_path audio_filename wav wav_file call_recording
    fichier nom_fichier nom_du_fichier chemin fichier_audio enregistrement fichier_enregistrement nom_enregistrement`),
  agent_email:
    words(`agent_email agent_mail agent_e-mail email_agent mail_agent agent_email_address user_email operator_email
    advisor_email adresse_agent email_de_l_agent courriel_agent mail_conseiller email_conseiller email_operateur`),
  email: words("email mail e-mail email_address courriel adresse_email adresse_mail"),
  agent: words(`agent agent_id agent_login agent_code agent_number agent_extension login_agent id_agent code_agent poste
    poste_agent extension user user_id username operator operator_id conseiller id_conseiller operateur teleoperateur`),
  agent_name:
    words(`agent_name agent_full_name agent_fullname name_of_agent operator_name user_full_name advisor_name nom_agent
    nom_de_l_agent nom_conseiller nom_du_conseiller nom_operateur`),
  time: words(`time start start_time starttime started started_at start_date start_datetime date datetime date_time timestamp
    call_date calldate call_time call_start call_start_time call_datetime call_timestamp conversation_timestamp
    conversation_time recorded_at recording_date recording_time date_appel heure_appel date_heure date_et_heure
    date_de_l_appel horodatage debut debut_appel heure_debut date_debut date_heure_appel`),
  campaign: words("campaign campaign_id campaign_code campaign_key campagne id_campagne code_campagne"),
};

function words(list: string): string[] {
  return list.split(/\s+/).map(normalizeName);
}

export type FoundColumns = { readonly [field in Field]?: number };

interface Asked {
  readonly columns: readonly string[];
  /** Fields that the mapping or an option already sets. */
  readonly settled: ReadonlySet<Field>;
  /** An agents file maps agent ids to email addresses. */
  readonly hasAgentsFile: boolean;
}

/** Finds the columns of a call by their names. Two candidates for one field are a defect: the user must choose. */
export function findColumns({ columns, settled, hasAgentsFile }: Asked): FoundColumns | Defect[] {
  const plain = columns.map(normalizeName);
  const fitting = (field: Field | "email") => plain.flatMap((name, at) => (synonyms[field].includes(name) ? [at] : []));
  const defects: Defect[] = [];
  const choose = (field: Field, places: readonly number[]) => {
    if (places.length > 1)
      defects.push(
        ambiguous(
          field,
          places.map((at) => columns[at] ?? ""),
        ),
      );
    return places[0];
  };
  const found: { [field in Field]?: number | undefined } = {};
  for (const field of ["file", "time", "agent_name", "campaign"] as const)
    if (!settled.has(field)) found[field] = choose(field, fitting(field));
  if (!settled.has("agent") && !settled.has("agent_email")) {
    const exact = fitting("agent_email");
    const agent = fitting("agent");
    // An "email" column next to an "agent" column may be the customer's: let the user choose.
    const email = exact.length > 0 ? exact : fitting("email");
    if (hasAgentsFile && agent.length > 0) found.agent = choose("agent", [...agent, ...exact]);
    else if (exact.length > 0) found.agent_email = choose("agent_email", exact);
    else if (email.length > 0) found.agent_email = choose("agent_email", [...email, ...agent]);
    else found.agent = choose("agent", agent);
  }
  return defects.length > 0 ? defects : defined(found);
}

function defined(found: { readonly [field in Field]?: number | undefined }): FoundColumns {
  return Object.fromEntries(Object.entries(found).filter(([, place]) => place !== undefined));
}

function ambiguous(field: Field, names: readonly string[]): Defect {
  const [first = "", second = ""] = names;
  const twoParts = field === "time" ? `, or combine them: --map 'time={${first}} {${second}}'` : "";
  return {
    code: "column_ambiguous",
    detail: `${names.length} columns could be the ${field}: ${names.map(quote).join(" and ")}.`,
    fix: `Choose one: --map '${field}=${first}'${twoParts}.`,
    column: first,
  };
}

const examples: Readonly<Record<Field, string>> = {
  file: "file",
  agent: "agent",
  agent_email: "agent_email",
  agent_name: "agent_name",
  time: "start_time",
  campaign: "campaign",
};

/** A required field has no column. */
export const columnMissing = (field: Field, columns: readonly string[]): Defect => ({
  code: field === "campaign" ? "campaign_missing" : "column_missing",
  detail: `No column for the ${field}. Columns: ${listed(columns.map((column) => column || "(no name)"))}.`,
  fix:
    field === "campaign"
      ? "Set the campaign of all calls with --campaign, or map its column with --map campaign=COLUMN."
      : `Name the column "${examples[field]}", or map it: --map ${field}=COLUMN.`,
  column: field,
});
