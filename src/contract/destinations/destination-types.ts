export const destinationTypes = ['S3', 'AwsS3', 'S3Compatible', 'File', 'Postgres', 'MySQL'] as const
