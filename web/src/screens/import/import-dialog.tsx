// "Import": many servers from one text, all or none. Core reads the text as it is typed, and what it says is what is
// shown; the host reads the same text again. What is created is paused.

import { useEffect, useId, useMemo, useRef, useState } from "preact/hooks";
import { problemOf, type Problem } from "../../bridge/problem";
import { importMany, loadSchema, schemaState } from "../../core/schema";
import type { JsonEditor } from "../../editor/json-editor";
import type { Imported, ImportPreview } from "../../generated/types";
import { messages } from "../../i18n";
import { hostSpeaks } from "../../state/bridge";
import { closeDialog } from "../../state/dialogs";
import { editImport, endImport, importDraft, putBack } from "../../state/import-draft";
import { importServers, servers, storageIssues } from "../../state/servers";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { Spinner } from "../../ui/icon";
import { JsonField } from "../../ui/json-field";
import { Box, ProblemBox } from "../../ui/notice";
import { EXAMPLE_HTTP_MANY, EXAMPLE_STDIO, SHAPE_MANY } from "../config/examples";
import { useMarks } from "../config/marks";
import { Example } from "../config/server-json";
import { readFile } from "./file";
import { ImportedServers } from "./imported";
import { errorsOf, notesOf, PreviewOf } from "./preview";
import { words } from "./words";

export function ImportDialog() {
  const texts = words.value;
  const { text, replaced } = importDraft.value;
  const [imported, setImported] = useState<Imported | undefined>(undefined);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | undefined>(undefined);
  const [fileProblem, setFileProblem] = useState<string | undefined>(undefined);
  const [dragged, setDragged] = useState(false);
  const [continued, setContinued] = useState(text.trim() !== "" && !replaced);
  const editor = useRef<Pick<JsonEditor, "goTo"> | null>(null);
  const picker = useRef<HTMLInputElement>(null);
  const hintId = useId();
  useEffect(loadSchema, []);

  const names = servers.value.map((server) => server.displayName);
  // Files that cannot be read take a server's place all the same.
  const kept = names.length + storageIssues.value.filter((issue) => issue.registrationId !== undefined).length;
  const empty = text.trim() === "";
  const checks = schemaState.value === "ready";
  const preview = useMemo<ImportPreview | undefined>(
    () => (checks && !empty ? importMany(text, names, kept) : undefined),
    [checks, text, JSON.stringify(names), kept],
  );
  const errors = preview ? errorsOf(preview) : [];
  const marks = useMarks(errors, preview ? notesOf(preview) : []);
  const stdioUnavailable =
    !hostSpeaks("stdio") && (preview?.entries.some((entry) => entry.config?.type === "stdio") ?? false);
  const count = errors.length === 0 ? (preview?.entries.length ?? 0) : 0;

  const submit = async () => {
    const [first] = errors;
    if (empty || first) {
      editor.current?.goTo(first?.line ?? 1, first?.column ?? 1);
      return;
    }
    setBusy(true);
    setProblem(undefined);
    try {
      setImported(await importServers(text));
      endImport();
    } catch (error) {
      setProblem(problemOf(error));
    }
    setBusy(false);
  };

  const take = async (file: File | undefined) => {
    if (!file) return;
    setContinued(false);
    setProblem(undefined);
    setFileProblem(await readFile(file));
  };

  if (imported) {
    return (
      <Dialog
        title={texts.title}
        onClose={closeDialog}
        actions={
          <>
            <Button onClick={() => setImported(undefined)}>{texts.more}</Button>
            <Button kind="primary" autofocus onClick={closeDialog}>
              {texts.done}
            </Button>
          </>
        }
      >
        <ImportedServers imported={imported} />
      </Dialog>
    );
  }

  return (
    <Dialog
      title={texts.title}
      wide
      onClose={closeDialog}
      actions={
        <>
          <p class="foot-note">{texts.foot}</p>
          <Button onClick={closeDialog}>{messages.value.common.cancel}</Button>
          <Button kind="primary" busy={busy} disabled={stdioUnavailable} onClick={() => void submit()}>
            {busy ? texts.submitting : texts.submit(count)}
          </Button>
        </>
      }
    >
      <div
        class={dragged ? "add dragged" : "add"}
        onDragOver={(event) => {
          if (!event.dataTransfer?.types.includes("Files")) return;
          event.preventDefault();
          setDragged(true);
        }}
        onDragLeave={(event) => {
          if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setDragged(false);
        }}
        onDropCapture={(event) => {
          setDragged(false);
          const file = event.dataTransfer?.files[0];
          if (!file) return;
          // Before the editor, which would put the file's text among what is there.
          event.preventDefault();
          event.stopPropagation();
          void take(file);
        }}
      >
        <div class="add-head">
          <p class="import-file">
            <Button icon="fileInput" onClick={() => picker.current?.click()}>
              {texts.openFile}
            </Button>
            <span class="muted">{dragged ? texts.dropHere : texts.dropHint}</span>
            <input
              ref={picker}
              type="file"
              hidden
              accept=".json,.jsonc,.txt,application/json"
              aria-label={texts.openFile}
              onChange={(event) => {
                void take(event.currentTarget.files?.[0]);
                event.currentTarget.value = "";
              }}
            />
          </p>
          {(replaced ?? continued) && (
            <p class="draft-note" role="status">
              <span>
                {replaced
                  ? replaced.by === undefined
                    ? texts.replacedByAdd
                    : texts.replacedByFile(replaced.by)
                  : messages.value.add.draftKept}
              </span>
              <Button
                kind="quiet"
                onClick={() => {
                  if (replaced) putBack();
                  else endImport();
                  setContinued(false);
                }}
              >
                {replaced ? texts.putBack : messages.value.add.draftDiscard}
              </Button>
            </p>
          )}
        </div>
        {fileProblem !== undefined && (
          <Box tone="error">
            <p>{fileProblem}</p>
          </Box>
        )}
        {problem && <ProblemBox problem={problem} />}
        <div class="add-main add-json">
          <div class="json-column">
            <JsonField
              label={texts.label}
              hint={SHAPE_MANY}
              describedBy={hintId}
              value={text}
              marks={marks}
              onChange={editImport}
              editorRef={editor}
            />
          </div>
          <div class="json-side">
            <section class="check" aria-label={texts.preview}>
              {schemaState.value === "failed" && (
                <Box
                  tone="warning"
                  actions={
                    <Button icon="refresh" onClick={loadSchema}>
                      {messages.value.common.retry}
                    </Button>
                  }
                >
                  <p>{texts.notLoaded}</p>
                </Box>
              )}
              {empty && <p class="check-empty">{texts.empty}</p>}
              {!empty && schemaState.value === "loading" && (
                <p class="progress" role="status">
                  <Spinner /> {texts.loading}
                </p>
              )}
              {preview && (
                <PreviewOf
                  blocked={stdioUnavailable}
                  preview={preview}
                  onGoTo={(line, column) => editor.current?.goTo(line, column)}
                />
              )}
            </section>
            <section class="format-hint">
              <h2>{texts.hintTitle}</h2>
              <p id={hintId}>{texts.hint}</p>
              <Example title={texts.exampleHttp} text={EXAMPLE_HTTP_MANY} />
              <Example title={texts.exampleStdio} text={EXAMPLE_STDIO} />
            </section>
          </div>
        </div>
      </div>
    </Dialog>
  );
}
