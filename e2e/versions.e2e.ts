import { expect } from '@playwright/test'
import {
  captureVisit,
  installedVersions,
  installPostHog,
  otherVersions,
  wholeVisit,
} from './conformance/conformance-versions.ts'
import { test } from './journey.ts'

for (const [version, folder] of Object.entries(installedVersions))
  test(`posthog-js ${version} captures a visit completely`, async ({ page, service, tenant }) => {
    expect(await captureVisit(page, service, tenant, folder)).toEqual(wholeVisit)
  })

for (const version of otherVersions)
  test(
    `posthog-js ${version} captures a visit completely`,
    { tag: '@slow' },
    async ({ page, service, tenant }, info) => {
      const folder = await installPostHog(version, info.outputPath())
      expect(await captureVisit(page, service, tenant, folder)).toEqual(wholeVisit)
    },
  )
