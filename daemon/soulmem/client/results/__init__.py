"""Types of what the daemon answers: TypedDicts, one for each shape of the protocol.

Generated from `schemas/rpc` by `python -m soulmem.client.result_writer`; do not edit.
"""
# ruff: noqa
# fmt: off

from __future__ import annotations

from soulmem.client.results.mind_results import Advanced, AuditCounts, AuditPage, BetweenResult, CallShape, DeletedMind, Description, ExportedPiece, Hello, IdleResult, ImportedPiece, JobPage, JobShape, Jumped, KnownName, KnownNames, LedgerResult, LeftShape, LimitsShape, MindPage, MindResult, MindShape, OwnShape, Pong, ProfileAttribute, ProfileItem, ProfileList, ProfileRelationship, ProfileResult, ProfileValue, RetriedJobs, Status, TieShape, TodayShape, TotalShape, UndoneReplay, Watching
from soulmem.client.results.note_results import AddLinkResult, ElementForecast, ElementShape, EndShape, ForecastResult, ForgetResult, FoundNote, GraphResult, HistoryResult, IdResult, LinkForecast, LinkKind, LinkOrigin, LinkPage, LinkShape, NoteKind, NotePage, NoteResult, NoteShape, PlanPage, PlanShape, PlansMade, PurgeResult, PurgedShape, ReflectionPage, ReflectionShape, RestoreResult, SourceOf, UnmetRequest
from soulmem.client.results.shared_results import ProfileEvidence, SourceShape
from soulmem.client.results.talk_results import AddMessageResult, AmendedResult, BlockShape, ContextShape, ConversationPage, ConversationShape, DeletedMessage, FadedShape, FeedbackResult, ImportResult, ItemShape, MessagePage, MessageShape, PlanTimesShape, RecallResult, RefusedMessage, Repeat, Role, SegmentShape, WindowShape

__all__ = ["AddLinkResult", "AddMessageResult", "Advanced", "AmendedResult", "AuditCounts", "AuditPage", "BetweenResult", "BlockShape", "CallShape", "ContextShape", "ConversationPage", "ConversationShape", "DeletedMessage", "DeletedMind", "Description", "ElementForecast", "ElementShape", "EndShape", "ExportedPiece", "FadedShape", "FeedbackResult", "ForecastResult", "ForgetResult", "FoundNote", "GraphResult", "Hello", "HistoryResult", "IdResult", "IdleResult", "ImportResult", "ImportedPiece", "ItemShape", "JobPage", "JobShape", "Jumped", "KnownName", "KnownNames", "LedgerResult", "LeftShape", "LimitsShape", "LinkForecast", "LinkKind", "LinkOrigin", "LinkPage", "LinkShape", "MessagePage", "MessageShape", "MindPage", "MindResult", "MindShape", "NoteKind", "NotePage", "NoteResult", "NoteShape", "OwnShape", "PlanPage", "PlanShape", "PlanTimesShape", "PlansMade", "Pong", "ProfileAttribute", "ProfileEvidence", "ProfileItem", "ProfileList", "ProfileRelationship", "ProfileResult", "ProfileValue", "PurgeResult", "PurgedShape", "RecallResult", "ReflectionPage", "ReflectionShape", "RefusedMessage", "Repeat", "RestoreResult", "RetriedJobs", "Role", "SegmentShape", "SourceOf", "SourceShape", "Status", "TieShape", "TodayShape", "TotalShape", "UndoneReplay", "UnmetRequest", "Watching", "WindowShape"]
