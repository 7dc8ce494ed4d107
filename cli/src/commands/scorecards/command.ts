import { Argument, type Command, InvalidArgumentError, Option } from "commander";
import { parseTime, several } from "../call-filters.ts";
import type { Context } from "../context.ts";
import { withExamples } from "../program.ts";

// The actions are imported lazily: the linter and the YAML parser would slow down the start of all other commands.
export function scorecardsCommand(program: Command, context: Context): void {
  const scorecards = program
    .command("scorecards")
    .summary("keep scorecards as files: check, compare, publish")
    .description("Keep scorecards as YAML or JSON files, for example in git.");
  withExamples(
    scorecards,
    ["hearback scorecards new support.yaml --template support", "start from a template"],
    ["hearback scorecards lint support.yaml", "find mistakes"],
    [
      "hearback scorecards push support.yaml --create --publish",
      "create the scorecard and publish version 1 for all campaigns",
    ],
    ["hearback scorecards pull 'Support call'", "get a scorecard as a file"],
  );
  for (const add of [addList, addPull, addLint, addDiff, addTest, addWhatIf, addPush, addNew, addImport])
    add(scorecards, context);
}

const idOption = "--id <id>";

const versionOption = (description: string) =>
  new Option("--version <number>", description).argParser((text) => {
    if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
    throw new InvalidArgumentError("Enter the number of a version, such as 3.");
  });

function addList(scorecards: Command, context: Context): void {
  const command = scorecards
    .command("list")
    .summary("list scorecards")
    .description("List scorecards, newest first. Requires an API key with the read or review scope.")
    .option("--retired", "list retired scorecards instead")
    .action(async (options, self: Command) => (await import("./list.ts")).listScorecards(context, self, options));
  withExamples(
    command,
    ["hearback scorecards list", "show a table"],
    ["hearback scorecards list --json | jq -r 'select(.has_draft).name'", "the names of those with a draft"],
  );
}

function addPull(scorecards: Command, context: Context): void {
  const command = scorecards
    .command("pull")
    .summary("write a scorecard to a file")
    .description(
      "Write a scorecard to a file: the draft if there is one, otherwise the latest version. Decided disputes that are kept as test cases are added to the file of test cases beside it. Drafts require an API key with the review scope.",
    )
    .argument("<scorecard>", "the id or the exact name")
    .argument("[file]", "YAML or JSON file, by its extension (default: named after the scorecard, YAML)")
    .addOption(versionOption("this published version instead"))
    .option("--force", "overwrite an existing file; comments in it are lost")
    .action(async (idOrName: string, file: string | undefined, options, self: Command) =>
      (await import("./pull.ts")).pullScorecard(context, self, { ...options, idOrName, file }),
    );
  withExamples(
    command,
    ["hearback scorecards pull 'Support call'", "to support-call.yaml"],
    ["hearback scorecards pull 'Support call' support.json --version 3", "version 3, as JSON"],
  );
}

function addLint(scorecards: Command, context: Context): void {
  const command = scorecards
    .command("lint")
    .summary("find mistakes in scorecard files")
    .description(
      "Find mistakes in scorecard files. Needs no service, unless you add --id. Exits with 1 if there are errors.",
    )
    .argument("<files...>", "YAML or JSON files")
    .option(idOption, "also compare with the latest version of this scorecard (id or name)")
    .option("--strict", "exit with 1 on warnings, too")
    .action(async (files: string[], options, self: Command) =>
      (await import("./lint.ts")).lintScorecards(context, self, { ...options, files }),
    );
  withExamples(
    command,
    ["hearback scorecards lint *.yaml --strict", "all files, in a CI job"],
    ["hearback scorecards lint support.yaml --id 'Support call'", "also report ids that changed their meaning"],
  );
}

function addDiff(scorecards: Command, context: Context): void {
  const command = scorecards
    .command("diff")
    .summary("show what changed, and whether scores stay comparable")
    .description(
      "Show the changes from a file to another file, or from a published version to a file. Exits with 1 if there are any.",
    )
    .argument("<file>", "YAML or JSON file")
    .argument("[other-file]", "the changed file")
    .option(idOption, "compare a published version of this scorecard (id or name) with the file")
    .addOption(versionOption("the published version (default: the latest)"))
    .action(async (file: string, other: string | undefined, options, self: Command) =>
      (await import("./diff.ts")).diffScorecards(context, self, { ...options, file, other }),
    );
  withExamples(
    command,
    ["hearback scorecards diff support.yaml --id 'Support call'", "what a push would change"],
    ["hearback scorecards diff support.yaml --id 'Support call' --version 2", "the changes since version 2"],
    ["hearback scorecards diff old.yaml new.yaml", "two files"],
  );
}

function addTest(scorecards: Command, context: Context): void {
  const command = scorecards
    .command("test")
    .summary("check that answers give the expected scores")
    .description("Calculate the score of test cases and compare it with the expected one. Needs no service.")
    .argument("<file>", "YAML or JSON file")
    .argument("[cases-file]", "the test cases (default: support.cases.yaml for support.yaml)")
    .action(async (file: string, cases: string | undefined, _options: object, self: Command) =>
      (await import("./run-cases.ts")).runCases(context, self, file, cases),
    );
  withExamples(
    command,
    ["hearback scorecards test support.yaml", "the cases in support.cases.yaml"],
    ["hearback scorecards test support.yaml disputes.yaml", "the cases in another file"],
  );
}

function addWhatIf(scorecards: Command, context: Context): void {
  const command = scorecards
    .command("what-if")
    .summary("show how a changed file would score past reviews")
    .description(
      "Replay the released reviews of a period on a file, and compare the scores with those of the published version. Changes neither the scorecard nor the reviews. Requires an API key with the review scope.",
    )
    .argument("<file>", "YAML or JSON file")
    .requiredOption(idOption, "the scorecard (id or name)")
    .requiredOption(
      "--from <time>",
      "reviews started at or after this time, such as 2026-11-01T00:00:00+01:00",
      parseTime,
    )
    .option("--to <time>", "reviews started before this time (default: now)", parseTime)
    .action(async (file: string, options, self: Command) =>
      (await import("./what-if.ts")).runWhatIf(context, self, { ...options, file }),
    );
  withExamples(
    command,
    [
      "hearback scorecards what-if support.yaml --id 'Support call' --from 2026-09-01T00:00:00Z",
      "the reviews since September",
    ],
    [
      "hearback scorecards what-if support.yaml --id 'Support call' --from 2026-09-01T00:00:00Z --json | jq .result.passed_to_failed",
      "how many reviews would fail",
    ],
  );
}

function addPush(scorecards: Command, context: Context): void {
  const command = scorecards
    .command("push")
    .summary("save a file as the draft of a scorecard, or publish it")
    .description(
      "Save a file as the draft of the scorecard with the same name, or of the one given with --id. Requires an API key with the review scope.",
    )
    .argument("<file>", "YAML or JSON file")
    .addOption(new Option(idOption, "the scorecard to change (id or name)").conflicts("create"))
    .option("--name <name>", "use this name instead of the one in the file")
    .option("--create", "create the scorecard if none has this name")
    .option("--publish", "publish the draft as the next version")
    .option(
      "--campaign <id>",
      "for calls of this campaign; repeat for several (default: as before; a new scorecard is for all campaigns)",
      several,
    )
    .action(async (file: string, options, self: Command) =>
      (await import("./push.ts")).pushScorecard(context, self, { ...options, file }),
    );
  withExamples(
    command,
    ["hearback scorecards push support.yaml", "replace the draft"],
    ["hearback scorecards push support.yaml --publish", "publish it; does nothing if the latest version is the same"],
    [
      "hearback scorecards push support.yaml --create --publish --campaign support-fr",
      "a new scorecard for one campaign",
    ],
    ["hearback scorecards push support.yaml --create --name 'Support call (test)'", "create a copy with another name"],
  );
}

function addNew(scorecards: Command, context: Context): void {
  const command = scorecards
    .command("new")
    .summary("start a scorecard from a template")
    .description("Write a template to a file. Needs no service.")
    .argument("<file>", "YAML or JSON file")
    .addOption(
      new Option("--template <template>", "the template")
        .choices(["support", "sales", "collections"])
        .default("support"),
    )
    .addOption(new Option("--language <language>", "its language").choices(["en", "fr"]).default("en"))
    .option("--force", "overwrite an existing file")
    .action(async (file: string, options, self: Command) =>
      (await import("./new.ts")).newScorecard(context, self, { ...options, file }),
    );
  withExamples(command, [
    "hearback scorecards new ventes.yaml --template sales --language fr",
    "sales calls, in French",
  ]);
}

function addImport(scorecards: Command, context: Context): void {
  const command = scorecards
    .command("import")
    .summary("convert a form of Amazon Connect or Genesys Cloud")
    .description(
      "Convert an evaluation form of Amazon Connect or Genesys Cloud to a scorecard file, and report what has no equivalent. Needs no service.",
    )
    .addArgument(new Argument("<product>", "where the form is from").choices(["connect", "genesys"]))
    .argument("<form-file>", "the form as JSON")
    .argument("<file>", "the YAML or JSON file to write")
    .option("--force", "overwrite an existing file")
    .action(async (product: "connect" | "genesys", form: string, file: string, options, self: Command) =>
      (await import("./import.ts")).importForm(context, self, { ...options, product, form, file }),
    );
  withExamples(
    command,
    [
      "aws connect describe-evaluation-form --instance-id ID --evaluation-form-id ID > form.json && hearback scorecards import connect form.json support.yaml",
      "a form of Amazon Connect",
    ],
    ["hearback scorecards import genesys form.json support.yaml", "a form of Genesys Cloud"],
  );
}
