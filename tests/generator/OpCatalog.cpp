// SPDX-License-Identifier: GPL-3.0-or-later
#include "generator/OpCatalog.h"

#include <array>

namespace stepscope
{
namespace
{

// Names are those of real recordings of an H100; precision is spelled in the ways the kernels of each library do.
constexpr std::string_view kGemmShape =
    R"("registers per thread": 168,      "shared memory": 213504,      "blocks per SM": 1.000000,      "warps per SM": 12.000000,      "grid": [132, 1, 1],      "block": [384, 1, 1],      "est. achieved occupancy %": 19)";
constexpr std::string_view kFlashShape =
    R"("registers per thread": 255,      "shared memory": 81920,      "blocks per SM": 11.636364,      "warps per SM": 46.545456,      "grid": [2, 64, 12],      "block": [128, 1, 1],      "est. achieved occupancy %": 12)";
constexpr std::string_view kElementwiseShape =
    R"("registers per thread": 32,      "shared memory": 0,      "blocks per SM": 93.090912,      "warps per SM": 372.363647,      "grid": [12288, 1, 1],      "block": [128, 1, 1],      "est. achieved occupancy %": 100)";
constexpr std::string_view kReduceShape =
    R"("registers per thread": 40,      "shared memory": 1040,      "blocks per SM": 95.515152,      "warps per SM": 382.060608,      "grid": [12608, 1, 1],      "block": [32, 4, 1],      "est. achieved occupancy %": 75)";
constexpr std::string_view kNcclShape =
    R"("registers per thread": 96,      "shared memory": 82240,      "blocks per SM": 0.181818,      "warps per SM": 3.090909,      "grid": [24, 1, 1],      "block": [544, 1, 1],      "est. achieved occupancy %": 0)";
constexpr std::string_view kOptimizerShape =
    R"("registers per thread": 64,      "shared memory": 0,      "blocks per SM": 2.424242,      "warps per SM": 38.787880,      "grid": [320, 1, 1],      "block": [512, 1, 1],      "est. achieved occupancy %": 50)";

constexpr std::string_view kLinearInputs =
    R"("Concrete Inputs": ["", "", ""], "Input type": ["c10::BFloat16", "c10::BFloat16", "c10::BFloat16"], "Input Strides": [[151296, 768, 1], [768, 1], [1]], "Input Dims": [[64, 197, 768], [2304, 768], [2304]])";
constexpr std::string_view kAttentionInputs =
    R"("Concrete Inputs": ["", "", "", "", "0.", "False", ""], "Input type": ["c10::BFloat16", "c10::BFloat16", "c10::BFloat16", "", "Scalar", "Scalar", ""], "Input Strides": [[453888, 64, 2304, 1], [453888, 64, 2304, 1], [453888, 64, 2304, 1], [], [], [], []], "Input Dims": [[64, 12, 197, 64], [64, 12, 197, 64], [64, 12, 197, 64], [], [], [], []])";
constexpr std::string_view kNormInputs =
    R"("Concrete Inputs": ["", "[768]", "", "", "1e-05", "True"], "Input type": ["float", "ScalarList", "float", "float", "Scalar", "Scalar"], "Input Strides": [[151296, 768, 1], [], [1], [1], [], []], "Input Dims": [[64, 197, 768], [], [768], [768], [], []])";
constexpr std::string_view kUnaryInputs =
    R"("Concrete Inputs": ["", "none"], "Input type": ["c10::BFloat16", ""], "Input Strides": [[605184, 3072, 1], []], "Input Dims": [[64, 197, 3072], []])";
constexpr std::string_view kEmbeddingInputs =
    R"("Concrete Inputs": ["", "", "-1", "False", "False"], "Input type": ["float", "long int", "Scalar", "Scalar", "Scalar"], "Input Strides": [[512, 1], [77, 1], [], [], []], "Input Dims": [[49408, 512], [64, 77], [], [], []])";
constexpr std::string_view kLossInputs =
    R"("Concrete Inputs": ["", ""], "Input type": ["float", "float"], "Input Strides": [[512, 1], [1, 512]], "Input Dims": [[64, 512], [512, 1024]])";
constexpr std::string_view kSoftmaxInputs =
    R"("Concrete Inputs": ["", "", "", "1", "-100", "0."], "Input type": ["float", "long int", "", "Scalar", "Scalar", "Scalar"], "Input Strides": [[1024, 1], [1], [], [], [], []], "Input Dims": [[64, 1024], [64], [], [], [], []])";

constexpr KernelInfo kNvjet{"nvjet_tst_128x256_64x4_1x2_h_bz_coopA_TNT", kGemmShape};
constexpr KernelInfo kNvjetBackward{"nvjet_tst_256x128_64x4_2x1_v_bz_coopB_NNN", kGemmShape};
constexpr KernelInfo kXmma{"sm90_xmma_gemm_bf16bf16_bf16f32_f32_tn_n_tilesize128x128x64_warpgroupsize1x1x1_execute_"
                           "segment_k_off_kernel__5x_cublas",
                           kGemmShape};
constexpr KernelInfo kXmmaBackward{"sm90_xmma_gemm_bf16bf16_bf16f32_f32_nt_n_tilesize256x128x64_warpgroupsize2x1x1_"
                                   "execute_segment_k_off_kernel__5x_cublas",
                                   kGemmShape};
constexpr KernelInfo kTf32{"sm80_xmma_gemm_f32f32_tf32f32_f32_tn_n_tilesize64x64x32_stage6_warpsize2x2x1_tensor16x8x8_"
                           "kernel",
                           kGemmShape};
constexpr KernelInfo kTf32Backward{"cutlass_80_tensorop_s1688gemm_128x128_16x5_nt_align4", kGemmShape};
constexpr KernelInfo kFlash{"void flash_fwd_kernel<Flash_fwd_kernel_traits<64, 128, 128, 4, false, false, "
                            "cutlass::bfloat16_t, Flash_kernel_traits<64, 128, 128, 4, cutlass::bfloat16_t> >, false, "
                            "false, false, false, false, true, false>(Flash_fwd_params)",
                            kFlashShape};
constexpr KernelInfo kFlashBackward{
    "void flash_bwd_dq_dk_dv_loop_seqk_parallel_kernel<Flash_bwd_kernel_traits<64, 128, 128, 8, 4, 4, 4, false, false, "
    "cutlass::bfloat16_t, Flash_kernel_traits<64, 128, 128, 8, cutlass::bfloat16_t> >, false, false, false, false, "
    "false, true, false>(Flash_bwd_params)",
    kFlashShape};
constexpr KernelInfo kLayerNorm{
    "void at::native::(anonymous namespace)::vectorized_layer_norm_kernel<float, float>(int, "
    "float, float const*, float const*, float const*, float*, float*, float*)",
    kReduceShape};
constexpr KernelInfo kLayerNormBackward{
    "void at::native::(anonymous namespace)::layer_norm_grad_input_kernel_vectorized<float, float>(float const*, float "
    "const*, float const*, float const*, float const*, float*, int)",
    kReduceShape};
constexpr KernelInfo kGelu{
    "void at::native::vectorized_elementwise_kernel<4, at::native::GeluCUDAKernelImpl(at::TensorIteratorBase&, "
    "at::native::GeluType)::{lambda()#2}::operator()() const::{lambda()#4}::operator()() "
    "const::{lambda(c10::BFloat16)#1}, std::array<char*, 2ul> >(int, "
    "at::native::GeluCUDAKernelImpl(at::TensorIteratorBase&, at::native::GeluType)::{lambda()#2}::operator()() "
    "const::{lambda()#4}::operator()() const::{lambda(c10::BFloat16)#1}, std::array<char*, 2ul>)",
    kElementwiseShape};
constexpr KernelInfo kTriton{"triton_poi_fused_add_gelu_3", kElementwiseShape};
constexpr KernelInfo kTritonBackward{"triton_red_fused_add_gelu_backward_native_layer_norm_backward_7", kReduceShape};
constexpr KernelInfo kAdd{
    "void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<c10::BFloat16>, std::array<char*, "
    "3ul> >(int, at::native::CUDAFunctor_add<c10::BFloat16>, std::array<char*, 3ul>)",
    kElementwiseShape};
constexpr KernelInfo kEmbedding{"void at::native::(anonymous namespace)::indexSelectLargeIndex<float, long, unsigned "
                                "int, 2, 2, -2, true>(at::cuda::detail::TensorInfo<float, unsigned int>)",
                                kElementwiseShape};
constexpr KernelInfo kEmbeddingBackward{
    "void at::native::(anonymous namespace)::compute_grad_weight<float, long>(long const*, float const*, long const*, "
    "long, long, long const*, long const*, float*, long)",
    kReduceShape};
constexpr KernelInfo kSoftmax{"void (anonymous namespace)::cunn_SoftMaxForward<4, float, float, float, (anonymous "
                              "namespace)::LogSoftMaxForwardEpilogue>(float*, float const*, int)",
                              kReduceShape};
constexpr KernelInfo kSoftmaxBackward{
    "void (anonymous namespace)::cunn_SoftMaxBackward<4, float, float, float, (anonymous "
    "namespace)::LogSoftMaxBackwardEpilogue>(float*, float const*, float const*, int)",
    kReduceShape};

constexpr std::string_view kLinearModule = "nn.Module: Linear_0";
constexpr std::string_view kLinearFunction = "torch/nn/modules/linear.py(124): forward";

constexpr OpInfo kQkv{"aten::linear", "aten::addmm", "AddmmBackward0", "aten::mm", kNvjet, kNvjetBackward, 24,
                      kLinearInputs,  kLinearModule, kLinearFunction};
constexpr OpInfo kAttention{"aten::scaled_dot_product_attention",
                            "aten::_flash_attention_forward",
                            "ScaledDotProductFlashAttentionBackward0",
                            "aten::_flash_attention_backward",
                            kFlash,
                            kFlashBackward,
                            22,
                            kAttentionInputs,
                            "nn.Module: MultiheadAttention_0",
                            "torch/nn/modules/activation.py(1168): forward"};
constexpr OpInfo kMlp{
    "aten::linear",        "aten::mm",     "MmBackward0", "aten::mm", kXmma, kXmmaBackward, 28, kLinearInputs,
    "nn.Module: Linear_1", kLinearFunction};
constexpr OpInfo kNorm{"aten::layer_norm",
                       "aten::native_layer_norm",
                       "NativeLayerNormBackward0",
                       "aten::native_layer_norm_backward",
                       kLayerNorm,
                       kLayerNormBackward,
                       5,
                       kNormInputs,
                       "nn.Module: LayerNorm_0",
                       "torch/nn/modules/normalization.py(217): forward"};
constexpr OpInfo kActivation{"aten::gelu",
                             "aten::gelu",
                             "GeluBackward0",
                             "aten::gelu_backward",
                             kGelu,
                             kAdd,
                             4,
                             kUnaryInputs,
                             "nn.Module: GELU_0",
                             "torch/nn/modules/activation.py(734): forward"};
constexpr OpInfo kFused{"Torch-Compiled Region: 0/0",
                        "triton_poi_fused_add_gelu_3",
                        "CompiledFunctionBackward",
                        "triton_red_fused_add_gelu_backward_native_layer_norm_backward_7",
                        kTriton,
                        kTritonBackward,
                        6,
                        kUnaryInputs,
                        "nn.Module: ResidualBlock_0",
                        "clip/model.py(171): forward",
                        true};
constexpr OpInfo kTokens{"aten::embedding",
                         "aten::index_select",
                         "EmbeddingBackward0",
                         "aten::embedding_dense_backward",
                         kEmbedding,
                         kEmbeddingBackward,
                         3,
                         kEmbeddingInputs,
                         "nn.Module: Embedding_0",
                         "torch/nn/modules/sparse.py(190): forward"};
constexpr OpInfo kLogits{"aten::matmul",
                         "aten::mm",
                         "MmBackward0",
                         "aten::mm",
                         kTf32,
                         kTf32Backward,
                         6,
                         kLossInputs,
                         "nn.Module: ClipLoss_0",
                         "clip/loss.py(58): get_logits"};
constexpr OpInfo kCrossEntropy{"aten::cross_entropy_loss",
                               "aten::_log_softmax",
                               "LogSoftmaxBackward0",
                               "aten::_log_softmax_backward_data",
                               kSoftmax,
                               kSoftmaxBackward,
                               2,
                               kSoftmaxInputs,
                               "nn.Module: ClipLoss_0",
                               "clip/loss.py(83): forward"};

constexpr std::array kVision{kQkv, kAttention, kMlp, kNorm, kActivation, kMlp, kFused};
constexpr std::array kText{kTokens, kQkv, kAttention, kNorm, kMlp, kActivation};
constexpr std::array kLoss{kLogits, kCrossEntropy};
constexpr std::array kOptimizer{
    KernelInfo{"void at::native::(anonymous namespace)::multi_tensor_apply_kernel<at::native::(anonymous "
               "namespace)::FusedOptimizerTensorListMetadata<4>, at::native::(anonymous "
               "namespace)::FusedAdamMathFunctor<float, 4, (at::native::ADAM_MODE)1, false>, float const*, double, "
               "double, double, double, double, bool, float*, float*>",
               kOptimizerShape},
    KernelInfo{"void at::native::(anonymous namespace)::multi_tensor_apply_kernel<at::native::(anonymous "
               "namespace)::TensorListMetadata<1>, at::native::(anonymous namespace)::LpNormFunctor<float, "
               "(at::native::NormType)1, float, 1, 1, 0>, float*, int>",
               kOptimizerShape}};
constexpr KernelInfo kAllReduce{"ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)",
                                kNcclShape};

} // namespace

std::span<const OpInfo> visionOps() { return kVision; }

std::span<const OpInfo> textOps() { return kText; }

std::span<const OpInfo> lossOps() { return kLoss; }

std::span<const KernelInfo> optimizerKernels() { return kOptimizer; }

const KernelInfo& allReduceKernel() { return kAllReduce; }

} // namespace stepscope
