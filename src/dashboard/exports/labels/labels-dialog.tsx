import { useState } from 'react'
import type { BatchExport } from '../../../contract/exports/batch-export.ts'
import {
  exportNoteLengthMax,
  ownerLengthMax,
  type ExportLabels,
} from '../../../contract/exports/export-labels.ts'
import { useAccount } from '../../account.ts'
import { useUpdateBatchExport } from '../../queries/exports/batch-exports.ts'
import { Dialog } from '../../ui/controls/dialog.tsx'
import { ProblemNote } from '../../ui/feedback/problem-note.tsx'
import { issuesByField } from '../../ui/feedback/server-issues.ts'
import { toast, toastFailure } from '../../ui/feedback/toasts.ts'
import { TextareaField, TextField } from '../../ui/controls/field.tsx'
import { Form, FormActions } from '../../ui/controls/form.tsx'
import { useKeys } from '../../ui/use-keys.ts'
import { TagsField, useSuggestions } from './tags-field.tsx'

/** Edits the tags, the owner and the note of an export. */
export function LabelsDialog({ batchExport, onClose }: { batchExport: BatchExport; onClose: () => void }) {
  const { projectId } = useAccount()
  const { id, name, tags, owner, note } = batchExport
  const before = { tags, owner, note }
  const [labels, setLabels] = useState<ExportLabels>(before)
  const update = useUpdateBatchExport(projectId, id)
  const suggestions = useSuggestions()
  const change = (part: Partial<ExportLabels>) => setLabels((now) => ({ ...now, ...part }))
  const issues = update.error && issuesByField(update.error, ['tags', 'owner', 'note'])
  const errorOf = (field: keyof ExportLabels) => issues?.fields.find(({ name }) => name === field)?.message
  const save = () => {
    const undo = () =>
      update.mutate(before, { onError: toastFailure(`The labels of ${name} could not be restored.`) })
    update.mutate(labels, {
      onSuccess: () => {
        toast(`Saved the tags, owner and note of ${name}.`, { undo })
        onClose()
      },
    })
  }
  return (
    <Dialog title="Tags, owner and note" onClose={onClose}>
      <Form noValidate onSubmit={save}>
        <SaveKey onSave={save} />
        <TagsField
          tags={labels.tags}
          onTags={(next) => change({ tags: next })}
          suggestions={suggestions.tags}
          error={errorOf('tags')}
        />
        <TextField
          label="Owner"
          optional
          autoComplete="off"
          suggestions={suggestions.owners}
          maxLength={ownerLengthMax}
          hint="Contact for this export: a person or a team."
          error={errorOf('owner')}
          value={labels.owner}
          onChange={(event) => change({ owner: event.target.value })}
        />
        <TextareaField
          label="Note"
          optional
          rows={6}
          maxLength={exportNoteLengthMax}
          error={errorOf('note')}
          value={labels.note}
          onChange={(event) => change({ note: event.target.value })}
        />
        {issues && (issues.fields.length === 0 || issues.rest.length > 0) && (
          <ProblemNote error={update.error} />
        )}
        <FormActions onCancel={onClose} busy={update.isPending}>
          Save
        </FormActions>
      </Form>
    </Dialog>
  )
}

/** Binds the key that saves; bound inside the dialog, so that it works there. */
function SaveKey({ onSave }: { onSave: () => void }) {
  useKeys({ 'mod+Enter': { does: 'Save', run: onSave, whileTyping: true } })
  return null
}
