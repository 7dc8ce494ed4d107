import { keyProblem, textProblem } from "./check-values.ts";
import { isFailureColumn } from "./failure-columns.ts";
import { columnMissing, findColumns } from "./find-columns.ts";
import { type Defect, isDefect, ManifestError } from "./finding-codes.ts";
import { type Field, fields, type Mapping, type Templates } from "./mapping.ts";
import { compileTemplates, type Template } from "./template.ts";

/** The template of each field of a call. */
export interface Plan {
  readonly file: Template;
  readonly time: Template;
  /** At least one of agent and agentEmail is set. */
  readonly agent: Template | undefined;
  readonly agentEmail: Template | undefined;
  readonly agentName: Template | undefined;
  readonly campaign: Template;
  readonly metadata: readonly { readonly key: string; readonly from: Template }[];
  readonly only: readonly { readonly from: Template; readonly values: ReadonlySet<string> }[];
  /** Indexes of columns without a name. Their values cannot be stored. */
  readonly unnamed: readonly number[];
}

interface PlanOptions {
  readonly columns: readonly string[];
  readonly mapping: Mapping;
  /** Campaign of all calls. Overrides the rows. */
  readonly campaign: string | undefined;
  readonly hasAgentsFile: boolean;
}

/** Assigns columns to fields, by the mapping or by their names. Throws all defects at once. */
export function planFields({ columns, mapping, campaign, hasAgentsFile }: PlanOptions): Plan {
  const defects: Defect[] = [];
  const compile = (templates: Templates, field: string): Template | undefined => {
    const compiled = compileTemplates(templates, field, columns);
    if (!isDefect(compiled)) return compiled;
    defects.push(compiled);
    return undefined;
  };
  const mapped = new Map<Field, Templates>();
  for (const field of fields) {
    const template = field === "time" ? mapping.time?.from : mapping[field];
    if (template !== undefined && !(field === "campaign" && campaign !== undefined)) mapped.set(field, template);
  }
  const settled = new Set<Field>([...mapped.keys(), ...(campaign === undefined ? [] : ["campaign" as const])]);
  const found = findColumns({ columns, settled, hasAgentsFile });
  if (Array.isArray(found)) defects.push(...found);
  const placeOf: { readonly [field in Field]?: number } = Array.isArray(found) ? {} : found;
  const from = (field: Field): Template | undefined => {
    const template = mapped.get(field);
    if (template !== undefined) return compile(template, field);
    const place = placeOf[field];
    return place === undefined ? undefined : { uses: [place], fill: (cells) => (cells[place] ?? "").trim() };
  };
  const named = Object.fromEntries(fields.map((field) => [field, from(field)])) as Record<Field, Template | undefined>;
  const always = campaign === undefined ? named.campaign : { uses: [], fill: () => campaign };
  const kept = Object.entries(mapping.metadata ?? {}).map(([key, template]) => ({ key, from: compile(template, key) }));
  const only = Object.entries(mapping.only ?? {}).map(([column, values]) => ({
    from: compile(`{${column}}`, "only"),
    values: new Set(values),
  }));

  // Report missing columns only if the mapping is valid: it may cause them.
  const needed = {
    file: named.file,
    time: named.time,
    agent_email: named.agent ?? named.agent_email,
    campaign: always,
  };
  if (defects.length === 0)
    for (const field of ["file", "agent_email", "time", "campaign"] as const)
      if (!needed[field]) defects.push(columnMissing(field, columns));

  const used = new Set(
    [...Object.values(named), ...kept.map(({ from }) => from), ...only.map(({ from }) => from)].flatMap(
      (template) => template?.uses ?? [],
    ),
  );
  const rest =
    mapping.rest === "drop"
      ? []
      : columns.flatMap((key, place) =>
          used.has(place) || key === "" || isFailureColumn(key) ? [] : [restOf(key, place)],
        );
  const metadata = [...kept, ...rest].flatMap(({ key, from }) => (from ? [{ key, from }] : []));
  defects.push(...metadata.flatMap(({ key }) => keyProblem(key) ?? textProblem(key, key) ?? []));
  if (defects.length > 0 || !needed.file || !needed.time || !always) throw new ManifestError(defects);
  return {
    file: needed.file,
    time: needed.time,
    agent: named.agent,
    agentEmail: named.agent_email,
    agentName: named.agent_name,
    campaign: always,
    metadata,
    only: only.flatMap(({ from, values }) => (from ? [{ from, values }] : [])),
    unnamed: columns.flatMap((column, place) => (column === "" && !used.has(place) ? [place] : [])),
  };
}

const restOf = (key: string, place: number) => ({
  key,
  from: { uses: [place], fill: (cells: readonly string[]) => (cells[place] ?? "").trim() } satisfies Template,
});
